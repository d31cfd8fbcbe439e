package dev.larder;

/** Which commands a session may give. */
public enum Commands {
  /** It sees and changes everything. */
  ALL,
  /** It sees everything, and changes nothing but its own settings. */
  STATUS,
  /** It sees counts and the queries of its own role, and changes nothing but its own settings. */
  OWN,
  /** It gives none. */
  NONE
}
