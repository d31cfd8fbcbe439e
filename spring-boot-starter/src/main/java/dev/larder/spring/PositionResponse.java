package dev.larder.spring;

import dev.larder.jdbc.LarderPosition;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.Consumer;

/**
 * A response that tells a position before its headers may be gone: as its body begins, and at the
 * end if they are still there. Confined to the thread of the request.
 */
final class PositionResponse extends HttpServletResponseWrapper {
  private final LarderPosition position;
  private final Consumer<String> carrier;
  private String told = "";

  PositionResponse(
      HttpServletResponse response, LarderPosition position, Consumer<String> carrier) {
    super(response);
    this.position = position;
    this.carrier = carrier;
  }

  /** Tells up to where was written, if that is more than was told. */
  void tell() {
    String written = position.written();
    if (!written.equals(told) && !isCommitted()) {
      told = written;
      carrier.accept(written);
    }
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    tell();
    return super.getOutputStream();
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    tell();
    return super.getWriter();
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    tell();
    super.sendError(status, message);
  }

  @Override
  public void sendError(int status) throws IOException {
    tell();
    super.sendError(status);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    tell();
    super.sendRedirect(location);
  }

  @Override
  public void flushBuffer() throws IOException {
    tell();
    super.flushBuffer();
  }
}
