package dev.larder.memcached.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.format.Buckets;
import dev.larder.memcached.format.Mark;
import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublicationTest {
  private static final String TABLE = "table";
  private static final VersionReply STORED = VersionReply.of(VersionReply.Outcome.STORED);
  private static final VersionReply CHANGED = VersionReply.of(VersionReply.Outcome.CHANGED);

  private final Token token = Token.random();
  private final Token fresh = Token.random();
  private final Token writer = Token.random();
  private final Token finished = Token.random();
  private final Token unfinished = Token.random();

  private VersionItem item(Token... writers) {
    return itemAt(TABLE, writers);
  }

  private VersionItem itemAt(String key, Token... writers) {
    List<Mark> marks = Stream.of(writers).map(Mark::of).toList();
    return new VersionItem(key, VersionValue.ready(token, 1, marks), 1, 1);
  }

  private Publication publication(@Nullable VersionItem item) {
    return publicationAt(List.of(place(TABLE, item)));
  }

  private Publication publicationAt(List<Announcement.Place> places) {
    return Publication.of(new Announcement(writer, Token.random(), places, null), fresh);
  }

  private static Announcement.Place place(String key, @Nullable VersionItem item) {
    return new Announcement.Place(key, null, Announcement.Phase.ACKNOWLEDGED, item);
  }

  private List<VersionRequest> requests(Publication publication) {
    return publication.requests(Set.of(writer, finished));
  }

  @Test
  void aloneItSwapsAndReadsNothing() {
    VersionItem item = item(writer);
    Publication publication = publication(item);

    assertThat(requests(publication))
        .containsExactly(new VersionRequest.Cas(item, VersionValue.ready(fresh, 1, List.of())));
    assertThat(requests(publication.accept(List.of(STORED)))).isEmpty();
    assertThat(requests(publication.accept(List.of(VersionReply.UNKNOWN)))).isEmpty();
    assertThat(requests(publication.accept(List.of(CHANGED))))
        .containsExactly(new VersionRequest.Gets(TABLE));
  }

  @Test
  void itTakesAwayTheMarksOfOthersThatHaveFinishedAndOfNobodyElse() {
    VersionItem item = item(unfinished, writer, finished);

    assertThat(requests(publication(item)))
        .containsExactly(
            new VersionRequest.Cas(
                item, VersionValue.ready(fresh, 1, List.of(Mark.of(unfinished)))),
            new VersionRequest.Gets(TABLE));
  }

  @Test
  void whereAnotherHasTakenItsMarkAwayItIsDone() {
    Publication publication = publication(item(writer, finished));

    assertThat(requests(publication.accept(List.of(CHANGED, VersionReply.found(item())))))
        .isEmpty();
    VersionReply gone = VersionReply.of(VersionReply.Outcome.MISSING);
    assertThat(requests(publication.accept(List.of(CHANGED, gone)))).isEmpty();
    assertThat(requests(publication(null).accept(List.of(VersionReply.found(item()))))).isEmpty();
  }

  @Test
  void whereNobodyKnowsWhatIsThereItGivesUp() {
    assertThat(requests(publication(null).accept(List.of(VersionReply.UNKNOWN)))).isEmpty();
    Publication shared = publication(item(writer, finished));
    assertThat(requests(shared.accept(List.of(CHANGED, VersionReply.UNKNOWN)))).isEmpty();
    assertThat(requests(shared.accept(List.of(VersionReply.UNKNOWN, VersionReply.UNKNOWN))))
        .isEmpty();
  }

  @Test
  void whereItsMarkWasLostANewLifeBegins() {
    Mark rows = new Mark(finished, Buckets.of(7, List.of(3)));
    VersionValue value = VersionValue.ready(token, 1, List.of(rows));
    VersionItem lost = new VersionItem(TABLE, value, 1, 1);

    assertThat(requests(publication(lost)).get(0))
        .isEqualTo(new VersionRequest.Cas(lost, VersionValue.ready(fresh, 1, List.of(rows))));
  }

  @Test
  void eachReplyBelongsToItsRequest() {
    VersionItem alone = itemAt("alone", writer);
    VersionItem shared = itemAt("shared", writer, unfinished);
    VersionItem late = itemAt("late", writer, unfinished);
    Publication publication =
        publicationAt(
            List.of(
                place("unread", null),
                place("shared", shared),
                place("alone", alone),
                place("late", late)));
    assertThat(requests(publication).stream().map(VersionRequest::key))
        .containsExactly("unread", "shared", "shared", "alone", "late", "late");

    VersionItem read = itemAt("unread", writer);
    VersionItem now = itemAt("late", writer, finished, unfinished);
    publication =
        publication.accept(
            List.of(
                VersionReply.found(read),
                STORED,
                VersionReply.found(shared),
                CHANGED,
                CHANGED,
                VersionReply.found(now)));
    List<Mark> left = List.of(Mark.of(unfinished));
    assertThat(requests(publication))
        .containsExactly(
            new VersionRequest.Cas(read, VersionValue.ready(fresh, 1, List.of())),
            new VersionRequest.Gets("alone"),
            new VersionRequest.Cas(now, VersionValue.ready(fresh, 1, left)),
            new VersionRequest.Gets("late"));
    publication = publication.accept(List.of(STORED, VersionReply.UNKNOWN, STORED, CHANGED));
    assertThat(requests(publication)).isEmpty();
  }

  @Test
  void itTriesAgainWithWhatIsThereAFewTimes() {
    Publication publication = publication(null);
    assertThat(requests(publication)).containsExactly(new VersionRequest.Gets(TABLE));
    VersionReply now = VersionReply.found(item(unfinished, writer));
    publication = publication.accept(List.of(now));

    int swaps = 0;
    while (!requests(publication).isEmpty() && swaps < 20) {
      assertThat(requests(publication)).hasSize(2).first().isInstanceOf(VersionRequest.Cas.class);
      publication = publication.accept(List.of(CHANGED, now));
      swaps++;
    }
    assertThat(swaps).isEqualTo(9);
  }
}
