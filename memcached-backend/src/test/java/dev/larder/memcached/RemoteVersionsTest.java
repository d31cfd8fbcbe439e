package dev.larder.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.client.MemcachedServer;
import dev.larder.memcached.client.SpyVersionServer;
import dev.larder.memcached.format.Names;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionCodec;
import dev.larder.memcached.protocol.BarrierPass;
import dev.larder.memcached.protocol.BarrierTurns;
import dev.larder.memcached.protocol.CatalogToken;
import dev.larder.memcached.protocol.PrimaryProbe;
import dev.larder.memcached.protocol.RemoteVersions;
import dev.larder.memcached.protocol.RemoteWrite;
import dev.larder.memcached.protocol.VersionReading;
import dev.larder.memcached.protocol.VersionReply;
import dev.larder.memcached.protocol.VersionRequest;
import dev.larder.remote.WritersInProgress;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two clients, each as a JVM has one, on a real memcached. */
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
  private RemoteVersions writer;
  private List<String> keys;
  private CatalogToken catalogToken;

  @BeforeEach
  void start() throws Exception {
    memcached = Memcached.start();
    first = connect();
    second = connect();
    reader = new RemoteVersions(new SpyVersionServer(first), names);
    turns = new BarrierTurns(new SpyVersionServer(first));
    writer = new RemoteVersions(new SpyVersionServer(second), names);
    keys = reader.keys(List.of(table));
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

  private List<Token> tokens() {
    VersionReading reading = reader.read(keys, RUN);
    assertThat(reading.verdict()).isEqualTo(VersionReading.Verdict.READABLE);
    return reading.tokens();
  }

  @Test
  void entryIsHitUntilAnotherJvmAnnouncesAndNeverAfterItHasPublished() {
    List<Token> filled = tokens();
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
    List<Token> filled = tokens();

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
    List<String> others = reader.keys(List.of());
    RemoteWrite during = reader.announce(writes, catalogToken);
    assertThat(during.acknowledged()).isTrue();
    reader.publish(during);
    writer.publish(change);
    assertThat(catalogToken.isTrueIn(reader.read(keys, RUN))).isFalse();
    List<Token> before = reader.read(others, RUN).tokens();

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
  void markThatWasEvictedIsWaitedFor() throws Exception {
    List<Token> filled = tokens();
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
    List<Token> filled = tokens();
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
    assertThat(tokens()).hasSize(3);
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
    memcached.ask("set " + names.ofVersion(table) + " 0 0 3\r\n2xy");

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
      batch.add(new VersionRequest.Append(names.ofVersion(table), Token.random()));
    }
    return new SpyVersionServer(first).send(batch).stream().map(VersionReply::outcome).toList();
  }

  /** Leaves marks, many in a request, until there is no room for as many. */
  private void leaveNoRoomFor(int marks) throws Exception {
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < marks; i++) {
      bytes.append(
          new String(VersionCodec.encodeWriter(Token.random()), StandardCharsets.US_ASCII));
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
    List<Token> before = tokens();
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
}
