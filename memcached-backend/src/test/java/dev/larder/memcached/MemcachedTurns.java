package dev.larder.memcached;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Shows how many round trips to memcached a writer needs: answers are held back until all requests
 * of one have arrived, so that whoever waits in between waits in vain. In the binary protocol; the
 * reads of others are let pass. Thread-safe.
 */
final class MemcachedTurns implements CountingProxy.Watch {
  private static final int HEADER = 24;
  private static final int OPERATION_AT = 1;
  private static final int BODY_LENGTH_AT = 8;
  private static final int GET = 0x00;
  private static final int SET = 0x01;
  private static final int ADD = 0x02;
  private static final int APPEND = 0x0e;

  // Guarded by this.
  private int[] ends = {};
  private int requests;

  /** Lets answers pass from now on only when the requests of each round trip are complete. */
  synchronized void expect(int... requestsOfEach) {
    requests = 0;
    ends = requestsOfEach.clone();
    Arrays.parallelPrefix(ends, Integer::sum);
    notifyAll();
  }

  /** Lets everything pass, and returns how many requests there were. */
  synchronized int end() {
    ends = new int[0];
    notifyAll();
    return requests;
  }

  @Override
  public byte[] request(int connection, DataInputStream from) throws IOException {
    byte[] header = from.readNBytes(HEADER);
    if (header.length < HEADER) {
      throw new IOException("closed");
    }
    byte[] request = Arrays.copyOf(header, HEADER + ByteBuffer.wrap(header).getInt(BODY_LENGTH_AT));
    from.readFully(request, HEADER, request.length - HEADER);
    int operation = request[OPERATION_AT];
    if (operation == GET || operation == SET || operation == ADD || operation == APPEND) {
      count();
    }
    return request;
  }

  private synchronized void count() {
    requests++;
    notifyAll();
  }

  @Override
  public synchronized void answered(int connection) throws InterruptedException {
    while (isIncomplete()) {
      wait();
    }
  }

  private boolean isIncomplete() {
    int last = ends.length == 0 ? 0 : ends[ends.length - 1];
    return requests > 0 && requests < last && Arrays.binarySearch(ends, requests) < 0;
  }
}
