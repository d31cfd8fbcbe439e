package dev.larder.memcached.protocol;

import static org.assertj.core.api.Assertions.assertThat;

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
    List<Mark> marks = Stream.of(writers).map(Mark::of).toList();
    return new VersionItem(TABLE, VersionValue.ready(token, 1, marks), 1, 1);
  }

  private Publication publication(@Nullable VersionItem item) {
    Announcement.Place place =
        new Announcement.Place(TABLE, null, Announcement.Phase.ACKNOWLEDGED, item);
    return Publication.of(new Announcement(writer, Token.random(), List.of(place), null), fresh);
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
  void itTriesAgainWithWhatIsThereAFewTimes() {
    Publication publication = publication(null);
    assertThat(requests(publication)).containsExactly(new VersionRequest.Gets(TABLE));
    VersionReply now = VersionReply.found(item(unfinished, writer));
    publication = publication.accept(List.of(now));

    int swaps = 0;
    while (!requests(publication).isEmpty()) {
      assertThat(requests(publication)).hasSize(2).first().isInstanceOf(VersionRequest.Cas.class);
      publication = publication.accept(List.of(CHANGED, now));
      swaps++;
    }
    assertThat(swaps).isEqualTo(9);
  }
}
