package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.FaultPoint;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A transaction is prepared by one JVM and committed by another, and each of them is ended by
 * {@code kill -9} on its way. None of the others reads anything else than the database holds, be it
 * that versions were lost while the transaction was prepared, and afterwards all have hits again.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class KilledTwoPhasesTest extends TwoInstances {
  private static final Set<FaultPoint> STEPS =
      Set.of(
          FaultPoint.TELLING,
          FaultPoint.TOLD,
          FaultPoint.SENDING,
          FaultPoint.ANSWERED,
          FaultPoint.TELLING_OUTCOME);

  /** What a transaction manager asks for is no statement. */
  private static final Set<FaultPoint> STEPS_OF_STATEMENTS =
      Set.of(FaultPoint.SENDING, FaultPoint.ANSWERED);

  static List<Arguments> everywhere() {
    List<Arguments> all = new ArrayList<>();
    for (TwoPhases way : TwoPhases.values()) {
      STEPS.stream()
          .sorted()
          .filter(step -> way == TwoPhases.TEXT || !STEPS_OF_STATEMENTS.contains(step))
          .forEach(step -> all.add(Arguments.of(way, step)));
    }
    return all;
  }

  @BeforeEach
  void addRow() throws Exception {
    run(outside, "INSERT INTO t VALUES (2, 'a')");
  }

  /** Another JVM, and what it says. */
  private record Doomed(Process process, BufferedReader said) implements AutoCloseable {
    void go() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    void awaitSaid(String line) throws IOException {
      String next = said.readLine();
      while (!line.equals(next)) {
        assertThat(next).as("it says %s", line).isNotNull().isNotEqualTo("passed");
        next = said.readLine();
      }
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly().onExit().join();
      said.close();
    }
  }

  private Doomed launch(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(url() + "&ApplicationName=dying"));
    all.addAll(List.of(arguments));
    Process process = Jvms.start(DyingCommitter.class, all.toArray(String[]::new));
    return new Doomed(process, Jvms.said(process));
  }

  /** Has a JVM prepare the write of {@code b}, and die. */
  private void prepareAndDie(TwoPhases way) throws Exception {
    try (Doomed preparing = launch(way.name())) {
      askUntilHit(first, READ);
      askUntilHit(second, READ);
      preparing.go();
      preparing.awaitSaid(DyingCommitter.PREPARED);
    }
    awaitNoSession();
    assertThat(prepared()).isEqualTo("1");
  }

  private String prepared() throws SQLException {
    return ask(outside, "SELECT count(*) FROM pg_prepared_xacts");
  }

  private void awaitNoSession() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    String sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dying'";
    while (!"0".equals(ask(outside, sessions))) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  private void assertSeenAndHit(String value) throws SQLException {
    for (Connection connection : new Connection[] {second, first}) {
      assertThat(ask(connection, READ)).isEqualTo(value);
    }
    for (Connection connection : new Connection[] {second, first}) {
      assertThat(askUntilHit(connection, READ)).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatADeadJvmHasPreparedIsSeenWhenAnotherCommitsIt(TwoPhases way) throws Exception {
    prepareAndDie(way);
    assertSeenAndHit("a");

    way.commit(one.xaDataSource());

    assertThat(prepared()).isEqualTo("0");
    assertSeenAndHit("b");
  }

  @ParameterizedTest
  @EnumSource
  void versionsThatAreLostMeanwhileAreNotReadyBeforeItIsCommitted(TwoPhases way) throws Exception {
    prepareAndDie(way);
    assertSeenAndHit("a");
    memcached.ask("flush_all");
    long hits = count(second, "hits");
    long runs = count(second, "barrier_runs");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (count(second, "barrier_runs") < runs + 3) {
      assertThat(ask(second, READ)).isEqualTo("a");
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
    assertThat(count(second, "hits")).as("it may be committed at any time").isEqualTo(hits);

    way.commit(one.xaDataSource());

    assertThat(ask(second, READ)).isEqualTo("b");
    assertSeenAndHit("b");
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void whoeverCommitsMayDieOnItsWay(TwoPhases way, FaultPoint step) throws Exception {
    try (Doomed committing = launch(way.name(), step.name())) {
      assertSeenAndHit("a"); // What is not ready now would not be before it is committed.
      way.prepare(one.xaDataSource());
      assertSeenAndHit("a");
      committing.go();
      committing.awaitSaid("reached");
      String now = String.valueOf(ask(outside, READ));
      assertThat(now).isEqualTo(step.compareTo(FaultPoint.ANSWERED) >= 0 ? "b" : "a");
      for (int i = 0; i < 5; i++) {
        assertThat(ask(second, READ)).isEqualTo(now);
        assertThat(ask(first, READ)).isEqualTo(now);
      }
    }
    awaitNoSession();
    if (step == FaultPoint.TELLING) {
      assertSeenAndHit("a"); // Nobody was told of anything.
    }
    if (prepared().equals("1")) {
      // Nobody knows whether its commit is on its way, so that nothing may be hit if it was told.
      assertThat(ask(second, READ)).isEqualTo("a");
      way.commit(one.xaDataSource());
    }
    assertSeenAndHit("b");
    assertThat(prepared()).isEqualTo("0");
  }
}
