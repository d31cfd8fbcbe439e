/** The query cache as a JDBC driver in front of the PostgreSQL JDBC driver. */
module dev.larder.jdbc {
  requires transitive dev.larder.core;
  requires transitive java.sql;
  requires transitive java.transaction.xa;
  requires java.management;
  requires java.naming;
  requires transitive org.jspecify;
  requires org.postgresql.jdbc;

  exports dev.larder.jdbc;

  uses java.sql.Driver;

  provides java.sql.Driver with
      dev.larder.jdbc.LarderDriver;
}
