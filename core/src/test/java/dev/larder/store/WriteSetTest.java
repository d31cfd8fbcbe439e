package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.TableTag.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What two statements write together is never less than what either does. */
class WriteSetTest {
  private final TableVersions versions = new TableVersions();
  private final TableTag one = versions.tag(Scope.RELATION, 1);
  private final TableTag two = versions.tag(Scope.RELATION, 2);
  private final WriteSet ofOne = new WriteSet(List.of(one), false);
  private final WriteSet ofTwo = new WriteSet(List.of(two), false);

  @Test
  void tagsAddUp() {
    assertThat(ofOne.union(ofTwo).tags()).containsExactlyInAnyOrder(one, two);
    assertThat(ofOne.union(ofOne)).isSameAs(ofOne);
    assertThat(ofOne.union(ofTwo).union(ofOne).tags()).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void nothingAddsNothing() {
    assertThat(ofOne.union(WriteSet.NONE)).isEqualTo(ofOne);
    assertThat(WriteSet.NONE.union(ofOne)).isEqualTo(ofOne);
    assertThat(WriteSet.NONE.union(WriteSet.NONE).isEmpty()).isTrue();
    assertThat(WriteSet.UNKNOWN.union(WriteSet.NONE)).isEqualTo(WriteSet.UNKNOWN);
    assertThat(WriteSet.NONE.union(WriteSet.UNKNOWN)).isEqualTo(WriteSet.UNKNOWN);
  }

  @Test
  void aWriteReachesWhatItNamesByOneSchemeAtLeast() {
    SchemeTags id = one.scheme("id", 4, 1, 0);
    SchemeTags code = one.scheme("code", 4, 1, 1);
    WriteSet byId = ofOne.withRows(one, List.of(id.cell(7), code.unknownOld()));
    WriteSet byNone =
        ofOne.withRows(one, List.of(id.unknownOld(), code.unknownOld(), code.cell(7)));
    assertThat(ofOne.reach(one)).isEqualTo(WriteReach.TABLE);
    assertThat(byId.reach(one)).isEqualTo(WriteReach.KEY);
    assertThat(byNone.reach(one)).isEqualTo(WriteReach.UNKNOWN_KEY);
    assertThat(ofOne.withRows(one, List.of()).reach(one)).isEqualTo(WriteReach.KEY);
    assertThat(WriteSet.UNKNOWN.reach(versions.all())).isEqualTo(WriteReach.EVERYTHING);

    assertThat(byId.union(byNone).reach(one)).isEqualTo(WriteReach.UNKNOWN_KEY);
    assertThat(byId.union(ofOne).reach(one)).isEqualTo(WriteReach.TABLE);
    assertThat(byId.union(ofTwo).reach(one)).isEqualTo(WriteReach.KEY);
    assertThat(byId.union(ofTwo).reach(two)).isEqualTo(WriteReach.TABLE);
  }

  @Test
  void aTransactionReachesWhatItsStatementsReachTogether() {
    SchemeTags id = one.scheme("id", 4, 1, 0);
    WrittenSoFar written = new WrittenSoFar();
    written.add(ofOne.withRows(one, List.of(id.cell(1))));
    written.add(ofOne.withRows(one, List.of(id.cell(2))));
    assertThat(written.all().reach(one)).isEqualTo(WriteReach.KEY);
    written.add(ofOne.withRows(one, List.of(id.unknownNew())));
    assertThat(written.all().reach(one)).isEqualTo(WriteReach.UNKNOWN_KEY);
  }

  @Test
  void theUnknownAndWhatIsSharedSwallowTheRest() {
    assertThat(ofOne.union(WriteSet.UNKNOWN)).isEqualTo(WriteSet.UNKNOWN);
    assertThat(WriteSet.UNKNOWN.union(ofOne)).isEqualTo(WriteSet.UNKNOWN);
    assertThat(WriteSet.UNKNOWN.union(WriteSet.EVERYWHERE)).isEqualTo(WriteSet.EVERYWHERE);
    assertThat(WriteSet.EVERYWHERE.union(WriteSet.UNKNOWN)).isEqualTo(WriteSet.EVERYWHERE);
    assertThat(WriteSet.EVERYWHERE.union(ofOne)).isEqualTo(WriteSet.EVERYWHERE);
    assertThat(ofOne.union(WriteSet.EVERYWHERE)).isEqualTo(WriteSet.EVERYWHERE);
    assertThat(WriteSet.UNKNOWN.isEmpty()).isFalse();
  }
}
