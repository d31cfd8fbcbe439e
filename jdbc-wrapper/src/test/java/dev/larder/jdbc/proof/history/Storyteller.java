package dev.larder.jdbc.proof.history;

/** Tells what led to an anomaly as a short history. Used by one thread. */
final class Storyteller {
  private static final int NEIGHBOURS = 4;

  private final HistoryNames names;
  private final LineHistory[] lines;

  Storyteller(HistoryNames names, LineHistory[] lines) {
    this.names = names;
    this.lines = lines;
  }

  Anomaly tell(String rule, HistoryLog log, int at, ReadCheck check) {
    long invoked = log.reads[at + 1];
    long returned = log.reads[at + 2];
    int end = at + HistoryLog.READ_HEADER + 2 * (int) log.reads[at + 3];
    boolean snapshot = (log.reads[at + 3] & 1L << 32) != 0;
    StringBuilder story = new StringBuilder();
    story
        .append(snapshot ? "  a transaction of one snapshot by t" : "  a read by t")
        .append(log.thread())
        .append(", invoked at 0 µs, returned at ")
        .append((returned - invoked) / 1000)
        .append(" µs\n  statement: ")
        .append(names.query((int) log.reads[at]))
        .append("\n  saw:")
        .append(log.describe(at + HistoryLog.READ_HEADER, end))
        .append('\n');
    for (int l = 0; l < lines.length; l++) {
      if (check.hasRead(l)) {
        versions(story, log, at, l, invoked, returned);
      }
    }
    return new Anomaly(rule, story.toString());
  }

  /** The versions that were seen, those around the time of the read, and the last one. */
  private void versions(
      StringBuilder story, HistoryLog log, int at, int l, long invoked, long returned) {
    LineHistory line = lines[l];
    long least = line.lastVersion();
    long most = line.base();
    int end = at + HistoryLog.READ_HEADER + 2 * (int) log.reads[at + 3];
    for (int i = at + HistoryLog.READ_HEADER; i < end; i += 2) {
      int slot = HistoryLog.slotOf(log.reads[i]);
      if (HistoryLog.lineOf(log.reads[i]) == l && slot <= HistoryLog.MAXIMUM) {
        least = Math.min(least, HistoryLog.versionOf(log.reads[i]));
        most = Math.max(most, HistoryLog.versionOf(log.reads[i]));
      }
    }
    story.append("  versions of ").append(Line.of(l)).append(" in the window: ");
    story.append(line.base()).append(" to ").append(line.lastVersion()).append('\n');
    for (int i = 1; i <= line.last(); i++) {
      long version = line.base() + i;
      boolean seen = version >= least - 1 && version <= Math.min(most, least + NEIGHBOURS) + 1;
      boolean around = line.acked[i] >= invoked - 5_000_000 && line.sent[i] <= returned + 1_000_000;
      if (seen || around || i == line.last()) {
        version(story, line, i, invoked);
      }
    }
  }

  private void version(StringBuilder story, LineHistory line, int i, long invoked) {
    story
        .append("    ")
        .append(line.base() + i)
        .append(" by ")
        .append(HistoryLog.describeId(line.ids[i]))
        .append(' ')
        .append(names.kind(line.kinds[i]))
        .append(": slots ")
        .append(Integer.toBinaryString(line.written[i]))
        .append(line.deleted[i] == 0 ? "" : ", deleted " + Integer.toBinaryString(line.deleted[i]))
        .append(", sent at ")
        .append((line.sent[i] - invoked) / 1000)
        .append(" µs, acknowledged at ")
        .append(
            line.acked[i] == LineHistory.NEVER
                ? "no time: the connection was lost"
                : (line.acked[i] - invoked) / 1000 + " µs")
        .append('\n');
  }
}
