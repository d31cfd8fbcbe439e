package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.memcached.client.SpyVersionServer;
import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.Names;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionCodec;
import dev.larder.memcached.protocol.BarrierPass;
import dev.larder.memcached.protocol.BarrierTurns;
import dev.larder.memcached.protocol.CatalogToken;
import dev.larder.memcached.protocol.PrimaryProbe;
import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.RemoteWrite;
import dev.larder.memcached.protocol.VersionKeys;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.memcached.protocol.VersionReply;
import dev.larder.memcached.protocol.VersionRequest;
import dev.larder.memcached.protocol.VersionServer;
import dev.larder.remote.RemoteTokens;
import dev.larder.remote.WritersInProgress;
import dev.larder.store.KeyTag;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.Tag;
import dev.larder.store.WriteSet;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two clients, each as a JVM has one, on a real memcached. */
@NeedsProgram(Program.MEMCACHED)
@org.junit.jupiter.api.Tag("regression")
class RemoteVersionsTest {
  private static final long RUN = 17;

  private final TableVersions tags = new TableVersions();
  private final TableTag table = tags.tag(TableTag.Scope.RELATION, 16_384);
  private final WriteSet writes = new WriteSet(List.of(table), false);
  private final Names names = new Names("test", "7", 5, null);
  private final Set<String> inProgress = ConcurrentHashMap.newKeySet();
  private final PrimaryProbe primary = () -> new WritersInProgress(RUN, inProgress);
  private Memcached memcached;
  private MemcachedServer first;
  private MemcachedServer second;
  private RemoteVersions reader;
  private BarrierTurns turns;
  private HookedServer hooked;
  private RemoteVersions writer;
  private List<String> keys;
  private CatalogToken catalogToken;

  /** Does something before it sends. */
  private static final class HookedServer implements VersionServer {
    private final VersionServer server;
    private int sends;
    private @Nullable Runnable next;

    HookedServer(VersionServer server) {
      this.server = server;
    }

    @Override
    public List<VersionReply> send(List<? extends VersionRequest> requests) {
      sends++;
      Runnable hook = next;
      next = null;
      if (hook != null) {
        hook.run();
      }
      return server.send(requests);
    }

    @Override
    public List<VersionReply> multiGet(List<String> keys) {
      return server.multiGet(keys);
    }
  }

  @BeforeEach
  void start() throws Exception {
    memcached = Memcached.start();
    first = connect();
    second = connect();
    reader = new RemoteVersions(new SpyVersionServer(first), names);
    turns = new BarrierTurns(new SpyVersionServer(first));
    hooked = new HookedServer(new SpyVersionServer(second));
    writer = new RemoteVersions(hooked, names);
    keys = reader.keys(List.of(table)).names();
    makeReady();
    catalogToken = catalogToken();
    assertThat(catalogToken).isNotNull();
  }

  private CatalogToken catalogToken() {
    return CatalogToken.in(reader.read(reader.keysOfCatalog(), RUN), RUN);
  }

  @AfterEach
  void end() {
    first.close();
    second.close();
    memcached.close();
  }

  private MemcachedServer connect() {
    MemcachedServer server =
        new MemcachedServer(memcached.address(), Duration.ofSeconds(10), 1_000).start();
    Waiting.until("memcached answers", server::isAvailable);
    return server;
  }

  private List<BarrierPass> settle(List<BarrierPass> passes) {
    return reader.settle(passes, turns, primary);
  }

  private List<BarrierPass> passes() {
    return keys.stream().map(BarrierPass::of).toList();
  }

  private void makeReady() {
    reader.read(keys, RUN);
    assertThat(settle(passes()))
        .extracting(BarrierPass::phase)
        .containsOnly(BarrierPass.Phase.DONE);
    turns.giveBack(keys); // The server remembers them for longer than this JVM.
  }

  private VersionReading.Verdict verdict() {
    return reader.read(keys, RUN).verdict();
  }

  private RemoteTokens tokens() {
    VersionReading reading = reader.read(keys, RUN);
    assertThat(reading.verdict()).isEqualTo(VersionReading.Verdict.READABLE);
    return reading.tokens();
  }

  @Test
  void entryIsHitUntilAnotherJvmAnnouncesAndNeverAfterItHasPublished() {
    RemoteTokens filled = tokens();
    assertThat(reader.read(keys, RUN).permits(filled)).isTrue();

    RemoteWrite write = writer.announce(writes, catalogToken);
    assertThat(write.acknowledged()).isTrue();
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);

    writer.publish(write);
    assertThat(tokens()).isNotEqualTo(filled);
    assertThat(reader.read(keys, RUN).permits(filled)).isFalse();
  }

  @Test
  void unknownWriteInvalidatesEverything() {
    RemoteTokens filled = tokens();

    RemoteWrite write = writer.announce(WriteSet.UNKNOWN, null);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);
    writer.publish(write);

    assertThat(reader.read(keys, RUN).permits(filled)).isFalse();
    assertThat(catalogToken.isTrueIn(reader.read(keys, RUN))).isFalse();
  }

  @Test
  void writerWhosePictureOfTheCatalogIsOldAnnouncesEverything() {
    assertThat(catalogToken.isTrueIn(reader.read(keys, RUN))).isTrue();
    RemoteWrite change = writer.announce(WriteSet.UNKNOWN, null);
    List<String> others = reader.keys(List.of()).names();
    RemoteWrite during = reader.announce(writes, catalogToken);
    assertThat(during.acknowledged()).isTrue();
    reader.publish(during);
    writer.publish(change);
    assertThat(catalogToken.isTrueIn(reader.read(keys, RUN))).isFalse();
    RemoteTokens before = reader.read(others, RUN).tokens();

    RemoteWrite write = reader.announce(writes, catalogToken);

    assertThat(write.acknowledged()).isTrue();
    assertThat(reader.read(others, RUN).verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);
    reader.publish(write);
    assertThat(reader.read(others, RUN).tokens()).isNotEqualTo(before);
    RemoteWrite withANewPicture = reader.announce(writes, catalogToken());
    assertThat(reader.read(others, RUN).verdict()).isEqualTo(VersionReading.Verdict.READABLE);
    reader.publish(withANewPicture);
  }

  @Test
  void writersThatOverlapLeaveEachOthersMarks() {
    RemoteWrite one = writer.announce(writes, catalogToken);
    RemoteWrite other = reader.announce(writes, catalogToken);
    writer.publish(one);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);

    reader.publish(other);

    assertThat(verdict()).isEqualTo(VersionReading.Verdict.READABLE);
  }

  @Test
  void whoPublishesDoesItForAllWhoDoSoInItsJvm() {
    RemoteWrite one = writer.announce(writes, catalogToken);
    RemoteWrite two = writer.announce(writes, catalogToken);
    RemoteWrite open = writer.announce(writes, catalogToken);
    hooked.sends = 0;

    hooked.next =
        () -> {
          writer.publish(two);
          assertThat(writer.writersUnderWay(List.of(table)))
              .as("but the open one")
              .containsExactly(1);
        };
    writer.publish(one);
    // The open one came between the first swap of each; the first then looks, and is done.
    assertThat(hooked.sends).isEqualTo(4);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);
    writer.publish(open);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.READABLE);
  }

  @Test
  void nobodyPublishesForWhoHasStoppedToPublish() {
    RemoteWrite broken = writer.announce(writes, catalogToken);
    RemoteWrite other = writer.announce(writes, catalogToken);
    hooked.next =
        () -> {
          throw new StackOverflowError();
        };
    assertThatThrownBy(() -> writer.publish(broken)).isInstanceOf(StackOverflowError.class);

    writer.publish(other);
    assertThat(writer.writersUnderWay(List.of(table))).containsExactly(1);
  }

  @Test
  void markThatWasEvictedIsWaitedFor() throws Exception {
    RemoteTokens filled = tokens();
    inProgress.add("x1");
    RemoteWrite write = writer.announce(writes, catalogToken);
    memcached.ask("delete " + names.ofVersion(table));

    assertThat(verdict()).isEqualTo(VersionReading.Verdict.MISSING);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.NOT_READY);
    List<BarrierPass> waiting = settle(passes());
    assertThat(waiting.get(2).phase()).isEqualTo(BarrierPass.Phase.WAIT);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.NOT_READY);

    inProgress.add("x2"); // Came later: nobody waits for it.
    inProgress.remove("x1");
    writer.publish(write);
    assertThat(verdict())
        .as("not made ready by a publish")
        .isEqualTo(VersionReading.Verdict.NOT_READY);
    List<BarrierPass> done = settle(List.of(waiting.get(2).next()));

    assertThat(done.get(0).phase()).isEqualTo(BarrierPass.Phase.DONE);
    assertThat(tokens()).isNotEqualTo(filled);
  }

  @Test
  void markOfAJvmThatDiedStaysUntilThePrimaryDoesNotNameItsTransaction() {
    RemoteTokens filled = tokens();
    inProgress.add("x1");
    writer.announce(writes, catalogToken);

    List<BarrierPass> waiting = settle(passes());
    assertThat(waiting.get(2).phase()).isEqualTo(BarrierPass.Phase.WAIT);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);

    inProgress.clear();
    settle(List.of(waiting.get(2).next()));
    assertThat(tokens()).isNotEqualTo(filled);
  }

  @Test
  void markOfAJvmThatDiedGoesThoughOthersNeverPause() {
    writer.announce(writes, catalogToken); // And dies; the primary does not name it any more.
    AtomicInteger questions = new AtomicInteger();
    List<BarrierPass> passes =
        reader.settle(
            List.of(BarrierPass.of(names.ofVersion(table))),
            turns,
            () -> {
              questions.incrementAndGet();
              writer.publish(writer.announce(writes, catalogToken));
              return new WritersInProgress(RUN, Set.of());
            });

    assertThat(passes).extracting(BarrierPass::phase).containsExactly(BarrierPass.Phase.DONE);
    assertThat(questions).hasValue(1);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.READABLE);
  }

  @Test
  void missingVersionIsMadeByTheAnnounce() throws Exception {
    memcached.ask("flush_all");
    for (int i = 0; i < 3; i++) {
      RemoteWrite write = writer.announce(writes, catalogToken);
      assertThat(write.acknowledged()).isTrue();
      assertThat(verdict()).isNotEqualTo(VersionReading.Verdict.READABLE);
      writer.publish(write);
    }
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.NOT_READY);

    makeReady();
    assertThat(tokens().size()).isEqualTo(9);
  }

  @Test
  void versionOfAnotherRunOfTheDatabaseServerIsNotReadBy() {
    assertThat(reader.read(keys, RUN + 1).verdict()).isEqualTo(VersionReading.Verdict.NOT_READY);

    reader.settle(passes(), turns, () -> new WritersInProgress(RUN + 1, Set.of()));

    assertThat(reader.read(keys, RUN + 1).verdict()).isEqualTo(VersionReading.Verdict.READABLE);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.NOT_READY);
  }

  @Test
  void versionOfALaterFormatIsNeitherReadByNorReplacedAndCanBeAnnouncedAt() throws Exception {
    memcached.ask("set " + names.ofVersion(table) + " 0 0 3\r\n3xy");

    assertThat(verdict()).isEqualTo(VersionReading.Verdict.NOT_READY);
    RemoteWrite write = writer.announce(writes, catalogToken);
    assertThat(write.acknowledged()).isTrue();
    writer.publish(write);
    settle(passes());

    assertThat(memcached.ask("get " + names.ofVersion(table))).endsWith(" 36");
  }

  @Test
  void nothingIsAnnouncedWhileMemcachedIsGone() {
    memcached.kill();

    assertThat(writer.announce(writes, catalogToken).acknowledged()).isFalse();
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.UNKNOWN);
    assertThat(settle(passes()))
        .extracting(BarrierPass::phase)
        .containsOnly(BarrierPass.Phase.WAIT);
  }

  private List<VersionReply.Outcome> leave(int marks) {
    List<VersionRequest> batch = new ArrayList<>();
    for (int i = 0; i < marks; i++) {
      batch.add(new VersionRequest.Append(names.ofVersion(table), Mark.of(Token.random())));
    }
    return new SpyVersionServer(first).send(batch).stream().map(VersionReply::outcome).toList();
  }

  /** Leaves marks, many in a request, until there is no room for as many. */
  private void leaveNoRoomFor(int marks) throws Exception {
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < marks; i++) {
      bytes.append(
          new String(VersionCodec.encodeMark(Mark.of(Token.random())), StandardCharsets.US_ASCII));
    }
    String request = "append " + names.ofVersion(table) + " 0 0 " + bytes.length() + "\r\n" + bytes;
    String answer = memcached.ask(request);
    while (answer.equals("STORED")) {
      answer = memcached.ask(request);
    }
    assertThat(answer).isEqualTo("NOT_STORED");
  }

  @Test
  void marksThatNobodyTakesAwayAreLimited() {
    RemoteTokens before = tokens();
    assertThat(leave(250)).containsOnly(VersionReply.Outcome.STORED);
    RemoteWrite write = writer.announce(writes, catalogToken);
    assertThat(write.acknowledged()).isTrue();
    assertThat(reader.writersUnderWay(List.of(table))).containsExactly(1);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);

    writer.publish(write);
    assertThat(reader.writersUnderWay(List.of(table))).containsExactly(0);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.NOT_READY);
    makeReady();
    assertThat(reader.read(keys, RUN).permits(before)).isFalse();
  }

  @Test
  void versionWithoutRoomForAMarkIsReplaced() throws Exception {
    leaveNoRoomFor(500);
    assertThat(leave(500)).contains(VersionReply.Outcome.NOT_STORED);
    RemoteWrite write = writer.announce(writes, catalogToken);
    assertThat(write.acknowledged()).isTrue();
    assertThat(reader.writersUnderWay(List.of(table))).containsExactly(1);
    writer.publish(write);
    makeReady();
  }

  @Test
  void writeOfVeryManyTablesIsAnnouncedAsOneOfEverything() {
    List<TableTag> many = new ArrayList<>();
    for (long oid = 20_000; oid < 25_000; oid++) {
      many.add(tags.tag(TableTag.Scope.RELATION, oid));
    }
    RemoteWrite write = writer.announce(new WriteSet(many, false), catalogToken);
    assertThat(write.acknowledged()).isTrue();
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.BEING_WRITTEN);
    writer.publish(write);
    assertThat(verdict()).isEqualTo(VersionReading.Verdict.READABLE);
  }

  private static final int CELLS = 4_096;

  private KeyTag row(long layout, int number) {
    return table.scheme("id" + layout, CELLS, layout, 0).cell(number);
  }

  private WriteSet write(KeyTag... rows) {
    return writes.withRows(table, List.of(rows));
  }

  private @Nullable RemoteTokens tokens(Tag... read) {
    VersionKeys versions = reader.keys(List.of(table));
    return reader.read(versions.names(), RUN).tokens(versions.needs(List.of(read)));
  }

  private boolean permits(@Nullable RemoteTokens kept) {
    return reader.read(keys, RUN).permits(kept);
  }

  @Test
  void writeOfARowLeavesWhatDependsOnOthers() {
    RemoteTokens one = tokens(table.rows(), row(1, 1));
    RemoteTokens two = tokens(table.rows(), row(1, 2));
    RemoteTokens whole = tokens(table);
    for (int i = 0; i < 3; i++) {
      RemoteWrite write = writer.announce(write(row(1, 1)), catalogToken);
      assertThat(permits(two)).isTrue();
      assertThat(permits(one)).isFalse();
      assertThat(permits(whole)).isFalse();
      assertThat(tokens(table.rows(), row(1, 2))).isEqualTo(two);
      assertThat(tokens(table.rows(), row(1, 1))).isNull();
      assertThat(tokens(table)).isNull();
      writer.publish(write);
      assertThat(permits(two)).isTrue();
      assertThat(permits(one)).isFalse();
      assertThat(permits(whole)).isFalse();
    }
    writer.publish(writer.announce(writes, catalogToken));
    assertThat(permits(two)).isFalse();
  }

  @Test
  void writeByOtherSchemesTouchesEverything() {
    RemoteTokens two = tokens(table.rows(), row(1, 2));
    RemoteWrite write = writer.announce(write(row(9, 1)), catalogToken);
    assertThat(permits(two)).isFalse();
    writer.publish(write);
    assertThat(permits(two)).as("its schemes are those of the version now").isFalse();
    RemoteTokens again = tokens(table.rows(), row(1, 2));
    assertThat(permits(again)).as("kept as of the whole table").isTrue();
    writer.publish(writer.announce(write(row(9, 1)), catalogToken));
    assertThat(permits(again)).isFalse();
    writer.publish(writer.announce(write(row(1, 1)), catalogToken));
    RemoteTokens third = tokens(table.rows(), row(1, 2));
    writer.publish(writer.announce(write(row(1, 1)), catalogToken));
    assertThat(permits(third)).isTrue();
  }

  @Test
  void whatIsMixedOrHasNoBucketIsTheWholeTable() {
    RemoteTokens two = tokens(table.rows(), row(1, 2));
    for (WriteSet mixed : List.of(write(row(1, 1), row(9, 1)), write(), many())) {
      RemoteTokens before = tokens(table.rows(), row(1, 2));
      assertThat(permits(before)).isTrue();
      writer.publish(writer.announce(mixed, catalogToken));
      assertThat(permits(before)).isFalse();
    }
    assertThat(permits(two)).isFalse();
    RemoteTokens mixed = tokens(table.rows(), row(1, 2), row(9, 2));
    assertThat(mixed).isEqualTo(tokens(table)).isEqualTo(tokens(table.rows()));
  }

  private WriteSet many() {
    List<KeyTag> rows = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      rows.add(row(1, i));
    }
    rows.add(table.scheme("id1", CELLS, 1, 0).unknownOld());
    return writes.withRows(table, rows);
  }

  @Test
  void evictionBeginsANewLife() throws Exception {
    writer.publish(writer.announce(write(row(1, 1)), catalogToken));
    RemoteTokens two = tokens(table.rows(), row(1, 2));
    memcached.ask("delete " + names.ofVersion(table));
    makeReady();
    assertThat(permits(two)).isFalse();
    writer.publish(writer.announce(write(row(1, 1)), catalogToken));
    assertThat(permits(two)).isFalse();
  }

  /** What an earlier version of Larder does: it knows no buckets, and nothing that has some. */
  @Test
  void writerOfAnEarlierVersionWritesWholeTables() throws Exception {
    String name = names.ofVersion(table);
    RemoteTokens two = tokens(table.rows(), row(1, 2));
    // It finds a value that it decodes: a mark, and a new token.
    memcached.ask("append " + name + " 0 0 33\r\n;" + "a".repeat(32));
    assertThat(permits(two)).isFalse();
    assertThat(tokens(table.rows(), row(1, 2))).isNull();
    memcached.ask("set " + name + " 0 0 50\r\n1R" + "b".repeat(32) + "0000000000000011");
    assertThat(permits(two)).isFalse();

    // It finds one that it does not decode: its mark stays until the barrier takes it away.
    writer.publish(writer.announce(write(row(1, 1)), catalogToken));
    RemoteTokens three = tokens(table.rows(), row(1, 3));
    assertThat(permits(three)).isTrue();
    memcached.ask("append " + name + " 0 0 33\r\n;" + "a".repeat(32));
    assertThat(permits(three)).isFalse();
    makeReady();
    assertThat(permits(three)).isFalse();
    assertThat(memcached.ask("get " + name)).as("of the earlier format again").endsWith(" 50");
  }

  @Test
  void markOfADeadWriterOfARowInvalidatesThatRow() {
    writer.publish(writer.announce(write(row(1, 1)), catalogToken));
    RemoteTokens one = tokens(table.rows(), row(1, 1));
    RemoteTokens two = tokens(table.rows(), row(1, 2));
    writer.announce(write(row(1, 1)), catalogToken);
    assertThat(permits(two)).isTrue();
    makeReady();
    assertThat(reader.writersUnderWay(List.of(table))).containsExactly(0);
    assertThat(permits(one)).isFalse();
    assertThat(permits(two)).isTrue();
  }

  @Test
  void barrierLeavesAVersionAloneWhoseWritersHaveGoneByThemselves() {
    RemoteWrite early = writer.announce(write(row(1, 1)), catalogToken);
    RemoteTokens two = tokens(table.rows(), row(1, 2));
    reader.settle(
        List.of(BarrierPass.of(names.ofVersion(table))),
        turns,
        () -> {
          writer.publish(early);
          writer.announce(write(row(1, 1)), catalogToken);
          return new WritersInProgress(RUN, Set.of());
        });
    assertThat(permits(two)).isTrue();
    assertThat(reader.writersUnderWay(List.of(table))).containsExactly(1);
  }

  @Test
  void sizeOfAVersion() throws Exception {
    List<KeyTag> rows = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      rows.add(table.scheme("s" + number, CELLS, 1, number).unknownNew());
    }
    for (int schemes : new int[] {1, 3, 8}) {
      writer.publish(writer.announce(writes, catalogToken));
      writer.publish(
          writer.announce(writes.withRows(table, rows.subList(0, schemes)), catalogToken));
      String got = memcached.ask("get " + names.ofVersion(table));
      assertThat(got).endsWith(" " + (102 + schemes * 260));
    }
  }
}
