package dev.larder.benchmarks.shapes;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A server, what is in front of it where it is installed, and the ways to it. */
public final class Servers implements AutoCloseable {
  /** What the driver alone is called on figures. */
  public static final String DIRECT = "no cache";

  /** What the product is called on figures. */
  public static final String LARDER = "Larder";

  static final String LARDER_MEMCACHED = "Larder, memcached";

  /** The product where it admits whatever it may. */
  static final String LARDER_ALL = "larder.admission=all";

  private static final int USUAL_CONNECTIONS = 300;

  private final Postgres postgres;
  private final List<Pgpool> pools = new ArrayList<>();
  private final List<ServerProcess> memcacheds = new ArrayList<>();
  private final List<Variant> variants = new ArrayList<>();

  /** Starts the server, whose tables are not there yet. */
  public Servers() throws IOException, SQLException {
    this(USUAL_CONNECTIONS);
  }

  /** Starts a server for at most {@code connections}, whose tables are not there yet. */
  public Servers(int connections) throws IOException, SQLException {
    this(new Postgres(connections));
  }

  private Servers(Postgres postgres) {
    this.postgres = postgres;
    variants.add(new Variant(DIRECT, postgres::direct));
  }

  /** Starts a server whose log can be decoded, and whose tables are not there yet. */
  public static Servers withLogicalLog(int connections) throws IOException, SQLException {
    return new Servers(new Postgres(connections, "logical"));
  }

  /** Adds the product, with a cache of its own. */
  public Servers withLarder(String cache) throws SQLException {
    postgres.awaitCatalog();
    variants.add(new Variant(LARDER, () -> postgres.larder(cache)));
    return this;
  }

  /** Adds the product where it admits whatever it may, with a cache of its own. */
  public Servers withLarderAdmittingAll(String cache) throws SQLException {
    postgres.awaitCatalog();
    variants.add(
        new Variant(
            LARDER_ALL,
            () -> postgres.larder("all-" + cache, "&larder.maxBytes=1GB&larder.admission=all")));
    return this;
  }

  /** Adds the product with a memcached that other JVMs could share, where that is installed. */
  public Servers withLarderMemcached(String cache) throws IOException, SQLException {
    if (ServerProcess.isInstalled(ServerProcess.MEMCACHED)) {
      postgres.copyDatabase();
      int port = ServerProcess.freePort();
      memcacheds.add(ServerProcess.memcached(port));
      variants.add(new Variant(LARDER_MEMCACHED, () -> postgres.larderMemcached(cache, port)));
    }
    return this;
  }

  /**
   * Adds pgpool-II where it is installed, by the protocol that suits it and by the driver's own.
   */
  public Servers withPgpool(boolean bothProtocols) throws IOException {
    if (Pgpool.isInstalled()) {
      add("pgpool, shared memory", false, bothProtocols);
      if (ServerProcess.isInstalled(ServerProcess.MEMCACHED)) {
        add("pgpool, memcached", true, bothProtocols);
      }
    }
    return this;
  }

  private void add(String label, boolean inMemcached, boolean bothProtocols) throws IOException {
    Pgpool pool = Pgpool.start(postgres, inMemcached);
    pools.add(pool);
    variants.add(
        new Variant(
            label + ", simple", () -> Postgres.through(pool.port(), "&preferQueryMode=simple")));
    if (bothProtocols) {
      variants.add(new Variant(label + ", extended", () -> Postgres.through(pool.port(), "")));
    }
  }

  /** Returns the server. */
  public Postgres postgres() {
    return postgres;
  }

  /** Returns the ways to the server, the direct one first. */
  public List<Variant> variants() {
    return List.copyOf(variants);
  }

  @Override
  public void close() throws IOException {
    pools.forEach(Pgpool::close);
    memcacheds.forEach(ServerProcess::close);
    postgres.close();
  }
}
