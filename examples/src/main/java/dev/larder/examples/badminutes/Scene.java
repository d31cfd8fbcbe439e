package dev.larder.examples.badminutes;

import java.util.Arrays;
import java.util.Optional;

/** What happens, and when. Between two scenes nothing does. */
enum Scene {
  CALM("calm", 0, 15),
  /** Slow queries have taken all connections of the pool. */
  EXHAUSTED("pool exhausted", 15, 35),
  /** The processes of the server stand still. */
  STOPPED("database stopped", 43, 48),
  /** The process ends, and another one starts. */
  DEPLOY("deploy", 54, 74),
  /** The same, and Larder has its warm start. */
  WARM_DEPLOY("deploy with warm start", 74, 94),
  /** A dashboard is looked at while its table is written. */
  DASHBOARD("dashboard", 98, 120);

  /** How many parts of the time {@link #from} and {@link #to} count. */
  static final int PARTS = 120;

  private final String label;
  private final int from;
  private final int to;

  Scene(String label, int from, int to) {
    this.label = label;
    this.from = from;
    this.to = to;
  }

  /** Returns its name, without a comma. */
  String label() {
    return label;
  }

  /** Returns the second at which it begins, if all takes {@code seconds}. */
  int from(int seconds) {
    return from * seconds / PARTS;
  }

  /** Returns the second at which it has ended. */
  int to(int seconds) {
    return to * seconds / PARTS;
  }

  /** Returns the scene of a second. */
  static Optional<Scene> at(int second, int seconds) {
    return Arrays.stream(values())
        .filter(scene -> scene.from(seconds) <= second && second < scene.to(seconds))
        .findFirst();
  }
}
