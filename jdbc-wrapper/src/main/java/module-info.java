/** The query cache as a JDBC driver in front of the PostgreSQL JDBC driver. */
@SuppressWarnings("module") // The module of the qualified export is compiled after this one.
module dev.larder.jdbc {
  requires transitive dev.larder.core;
  requires transitive java.sql;
  requires transitive java.transaction.xa;
  requires java.management;
  requires java.naming;
  requires transitive org.jspecify;
  requires org.postgresql.jdbc;

  exports dev.larder.jdbc;
  exports dev.larder.jdbc.feed to
      dev.larder.changefeed;

  uses java.sql.Driver;
  uses dev.larder.jdbc.feed.FeedReader;

  provides java.sql.Driver with
      dev.larder.jdbc.LarderDriver;
}
