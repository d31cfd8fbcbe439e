/** The engine of the query cache: text, tags, versions and entries, without {@code java.sql}. */
@SuppressWarnings("module") // The modules of the qualified exports are compiled after this one.
module dev.larder.core {
  requires com.github.benmanes.caffeine;
  requires java.management;
  requires net.sf.jsqlparser;
  requires transitive org.jspecify;

  exports dev.larder;
  exports dev.larder.analysis to
      dev.larder.jdbc;
  exports dev.larder.bypass to
      dev.larder.jdbc;
  exports dev.larder.engine to
      dev.larder.jdbc;
  exports dev.larder.lexer to
      dev.larder.jdbc;
  exports dev.larder.log to
      dev.larder.jdbc,
      dev.larder.changefeed;
  exports dev.larder.sql to
      dev.larder.jdbc,
      dev.larder.changefeed;
  exports dev.larder.result to
      dev.larder.jdbc,
      dev.larder.memcached;
  exports dev.larder.keys to
      dev.larder.jdbc,
      dev.larder.changefeed;
  exports dev.larder.catalog to
      dev.larder.jdbc;
  exports dev.larder.code to
      dev.larder.jdbc;
  exports dev.larder.resolve to
      dev.larder.jdbc;
  exports dev.larder.watch to
      dev.larder.jdbc;
  exports dev.larder.remote to
      dev.larder.jdbc,
      dev.larder.memcached;
  exports dev.larder.feed to
      dev.larder.jdbc,
      dev.larder.changefeed;
  exports dev.larder.radar to
      dev.larder.jdbc;
  exports dev.larder.store to
      dev.larder.jdbc,
      dev.larder.memcached,
      dev.larder.changefeed;

  uses dev.larder.remote.RemoteBackend;
}
