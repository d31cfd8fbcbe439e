package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.store.Daemon;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is loaded while the first connection is opened. */
@Tag("each-jdk")
final class HeadStartTest {
  @Test
  void theParserUnderstandsTheQueryThatHasItLoaded() {
    assertThat(
            new SqlAnalyzer()
                .analyze(SqlLexer.lex(HeadStart.TYPICAL, LexOptions.PREPARED).shape())
                .statements())
        .singleElement()
        .satisfies(facts -> assertThat(facts.bypass()).isNull());
  }

  @Test
  void itsThreadHoldsNoJvmAndEndsByItself() throws InterruptedException {
    Thread thread = HeadStart.thread();
    assertThat(Daemon.start(thread)).isTrue();
    assertThat(thread.isDaemon()).isTrue();
    thread.join(30_000);
    assertThat(thread.isAlive()).isFalse();
  }
}
