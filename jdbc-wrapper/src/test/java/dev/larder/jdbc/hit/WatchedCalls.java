package dev.larder.jdbc.hit;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The calls of Larder's methods in another JVM, as a debugger sees them. Getters are left out:
 * methods with at most {@value #GETTER_BYTES} bytes of byte code.
 */
final class WatchedCalls {
  private static final int GETTER_BYTES = 5;

  private final VirtualMachine machine;
  private final EventRequestManager requests;
  private final List<Way> ways = new ArrayList<>();

  private WatchedCalls(VirtualMachine machine) {
    this.machine = machine;
    this.requests = machine.eventRequestManager();
  }

  /** A method, and the class that it is written in. */
  record Call(String type, String method) {
    private static Call of(Method method) {
      return new Call(
          method.declaringType().name().replaceAll("\\$\\$Lambda.*", ""), method.name());
    }

    private boolean isInCore() {
      return !type.startsWith("dev.larder.jdbc.");
    }
  }

  /** The calls of one execution, in order. */
  record Way(List<Call> calls) {
    int length() {
      return calls.size();
    }

    long classes() {
      return calls.stream().map(Call::type).distinct().count();
    }

    /** Returns how often the next call is in the other module. */
    int changesOfModule() {
      int changes = 0;
      for (int i = 1; i < calls.size(); i++) {
        changes += calls.get(i).isInCore() == calls.get(i - 1).isInCore() ? 0 : 1;
      }
      return changes;
    }

    @Override
    public String toString() {
      return calls.stream()
          .map(call -> call.type() + "." + call.method())
          .collect(Collectors.joining("\n  ", "%d calls%n  ".formatted(length()), ""));
    }
  }

  /**
   * Runs {@code main}; returns the calls between each call of its method {@code begin} and the next
   * of {@code end}, on the same thread.
   */
  static List<Way> of(Class<?> main, String... arguments) throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> settings = connector.defaultArguments();
    settings
        .get("options")
        .setValue("-cp \"" + System.getProperty("java.class.path") + "\" -XX:TieredStopAtLevel=1");
    settings.get("main").setValue(main.getName() + " \"" + String.join("\" \"", arguments) + '"');
    WatchedCalls calls = new WatchedCalls(connector.launch(settings));
    calls.watch(main);
    return calls.ways;
  }

  private void watch(Class<?> main) throws IOException, InterruptedException {
    ClassPrepareRequest prepared = requests.createClassPrepareRequest();
    prepared.addClassFilter(main.getName());
    prepared.enable();
    boolean connected = true;
    while (connected) {
      EventSet events = machine.eventQueue().remove();
      for (Event event : events) {
        follow(event);
        connected &= !(event instanceof VMDisconnectEvent);
      }
      events.resume();
    }
    byte[] errors = machine.process().getErrorStream().readAllBytes();
    if (machine.process().waitFor() != 0) {
      throw new AssertionError(new String(errors, StandardCharsets.UTF_8));
    }
  }

  private void follow(Event event) {
    if (event instanceof ClassPrepareEvent prepared) {
      stopAt(prepared.referenceType(), "begin");
      stopAt(prepared.referenceType(), "end");
    } else if (event instanceof BreakpointEvent stop) {
      requests.deleteEventRequests(List.copyOf(requests.methodEntryRequests()));
      if (stop.location().method().name().equals("begin")) {
        ways.add(new Way(new ArrayList<>()));
        MethodEntryRequest entries = requests.createMethodEntryRequest();
        entries.addClassFilter("dev.larder.*");
        entries.addThreadFilter(stop.thread());
        entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        entries.enable();
      }
    } else if (event instanceof MethodEntryEvent entry
        && entry.method().bytecodes().length > GETTER_BYTES) {
      ways.get(ways.size() - 1).calls().add(Call.of(entry.method()));
    }
  }

  private void stopAt(ReferenceType type, String method) {
    requests.createBreakpointRequest(type.methodsByName(method).get(0).location()).enable();
  }
}
