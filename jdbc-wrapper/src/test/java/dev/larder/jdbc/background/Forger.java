package dev.larder.jdbc.background;

import dev.larder.lexer.LexOptions;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes what no cache has noted. */
final class Forger {
  private Forger() {}

  /** Returns a query of any text, as if the session of {@code like} had asked it. */
  static ByteBuffer query(HotQuery like, String sql) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(HotQuery.bytesOf(like.session()));
    out.writeBoolean(LexOptions.STATEMENT.prepared());
    out.writeInt(0);
    out.writeBoolean(false);
    ValueCodec.writeText(sql, out);
    out.writeInt(0);
    return ByteBuffer.wrap(bytes.toByteArray());
  }
}
