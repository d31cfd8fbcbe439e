package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.memcached.client.SpyVersionServer;
import dev.larder.memcached.format.Names;
import dev.larder.memcached.protocol.BarrierPass;
import dev.larder.memcached.protocol.BarrierTurns;
import dev.larder.memcached.protocol.PrimaryProbe;
import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.memcached.protocol.VersionServer;
import dev.larder.remote.WritersInProgress;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several JVMs that want the same version to be settled, on a real memcached. */
@NeedsProgram(Program.MEMCACHED)
class BarrierTurnsTest {
  private static final long RUN = 17;
  private static final int JVMS = 3;

  private final TableTag table = new TableVersions().tag(TableTag.Scope.RELATION, 16_384);
  private final Names names = new Names("test", "7", 5, null);
  private final String version = names.ofVersion(table);
  private final Set<String> inProgress = ConcurrentHashMap.newKeySet();
  private final List<MemcachedServer> servers = new ArrayList<>();
  private final List<Jvm> jvms = new ArrayList<>();

  /** Whose workers have asked the primary, one after the other. */
  private final Queue<Jvm> askers = new ConcurrentLinkedQueue<>();

  private Memcached memcached;

  /** What one JVM has. */
  private final class Jvm implements AutoCloseable {
    final AtomicInteger questions = new AtomicInteger();
    final VersionServer server;
    final RemoteVersions versions;
    final BarrierTurns turns;
    final BarrierWorker worker;

    Jvm(MemcachedServer server) {
      this.server = new SpyVersionServer(server);
      versions = new RemoteVersions(this.server, names);
      turns = new BarrierTurns(this.server);
      PrimaryProbe primary =
          () -> {
            askers.add(this);
            return new WritersInProgress(RUN, inProgress);
          };
      worker = new BarrierWorker(versions, new BarrierTurns(this.server), primary, "barrier");
    }

    VersionReading read() {
      VersionReading reading = versions.read(List.of(version), RUN);
      worker.wanted(reading, RUN);
      return reading;
    }

    boolean reads() {
      return read().verdict() == VersionReading.Verdict.READABLE;
    }

    @Override
    public void close() {
      worker.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    memcached = Memcached.start();
    for (int i = 0; i < JVMS; i++) {
      MemcachedServer server =
          new MemcachedServer(memcached.address(), Duration.ofSeconds(10), 1_000).start();
      servers.add(server);
      Waiting.until("memcached answers", server::isAvailable);
      jvms.add(new Jvm(server));
    }
  }

  @AfterEach
  void end() {
    jvms.forEach(Jvm::close);
    servers.forEach(MemcachedServer::close);
    memcached.close();
  }

  private List<String> keys() {
    return List.of(version);
  }

  @Test
  void turnIsThatOfOneUntilItGivesItBack() {
    BarrierTurns first = jvms.get(0).turns;
    BarrierTurns second = jvms.get(1).turns;

    assertThat(first.take(keys())).containsExactly(version);
    assertThat(second.take(keys())).isEmpty();
    assertThat(second.take(List.of(names.ofEverything()))).as("another version").hasSize(1);
    second.giveBack(keys());
    assertThat(second.take(keys())).as("it was not its own").isEmpty();
    first.giveBack(keys());
    assertThat(second.take(keys())).containsExactly(version);
  }

  @Test
  void turnOfAJvmThatIsGoneIsSomebodyElsesAfterSomeTime() {
    assertThat(jvms.get(0).turns.take(keys())).containsExactly(version);
    long begin = System.nanoTime();
    Waiting.until("a turn has ended", () -> jvms.get(1).turns.take(keys()).contains(version));
    assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void whoeverGetsNoAnswerAsksNevertheless() {
    memcached.kill();
    assertThat(jvms.get(0).turns.take(keys())).containsExactly(version);
    assertThat(jvms.get(1).turns.take(keys())).containsExactly(version);
  }

  @Test
  void versionIsSettledForAllByWhoeverHasTheTurn() {
    assertThat(jvms.get(0).turns.take(keys())).containsExactly(version);
    Jvm other = jvms.get(1);
    VersionReading missing = other.versions.read(keys(), RUN);
    assertThat(missing.missing()).isEqualTo(keys());
    List<BarrierPass> waiting = settle(other);
    assertThat(waiting.get(0).phase()).isEqualTo(BarrierPass.Phase.WAIT);
    assertThat(other.questions).hasValue(0);

    Jvm holder = jvms.get(0);
    assertThat(settle(holder).get(0).phase()).isEqualTo(BarrierPass.Phase.DONE);
    assertThat(holder.questions).hasValue(1);
    assertThat(other.reads()).isTrue();
  }

  @Test
  void whoeverDoesNotReachThePrimaryGivesItsTurnBack() {
    Jvm cut = jvms.get(0);
    VersionReading missing = cut.versions.read(keys(), RUN);
    assertThat(missing.missing()).isEqualTo(keys());
    cut.versions.settle(List.of(BarrierPass.of(version)), cut.turns, () -> null);

    assertThat(settle(jvms.get(1)).get(0).phase()).isEqualTo(BarrierPass.Phase.DONE);
  }

  private List<BarrierPass> settle(Jvm jvm) {
    return jvm.versions.settle(
        List.of(BarrierPass.of(version)),
        jvm.turns,
        () -> {
          jvm.questions.incrementAndGet();
          return new WritersInProgress(RUN, inProgress);
        });
  }

  /** While a transaction is open that was there before, somebody asks again and again. */
  @Test
  void primaryIsAskedByOneAtATimeWhileATransactionIsWaitedFor() {
    inProgress.add("x1");
    long begin = System.nanoTime();
    Waiting.until(
        "the primary was asked six times",
        () -> {
          jvms.forEach(Jvm::read);
          return askers.size() >= 6;
        });
    List<Jvm> asked = List.copyOf(askers);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    long changes = 0;
    for (int i = 1; i < asked.size(); i++) {
      changes += asked.get(i) == asked.get(i - 1) ? 0 : 1;
    }
    assertThat(changes).as("a turn lasts two seconds at least").isLessThanOrEqualTo(seconds / 2);
    assertThat(jvms).noneMatch(Jvm::reads);

    inProgress.clear();
    Waiting.until("all read", () -> jvms.stream().allMatch(Jvm::reads));
    Waiting.until(
        "all are settled", () -> jvms.stream().allMatch(jvm -> jvm.worker.unsettled() == 0));
  }
}
