package dev.larder.result;

/**
 * One column of a result as the server described it: a field of the RowDescription message, and the
 * format in which the values arrived. Immutable.
 *
 * @param label the label, as sent by the server
 * @param tableOid the table the column belongs to, or 0 for an expression
 * @param columnNumber the attribute number in the table; negative for a system column
 * @param typeOid the type; the base type for a domain
 * @param typeLength the type's length in the driver's representation
 * @param typeModifier the type modifier, or -1
 * @param binary true if the values are in binary format, false if they are text
 */
public record ResultColumn(
    String label,
    int tableOid,
    int columnNumber,
    int typeOid,
    int typeLength,
    int typeModifier,
    boolean binary) {

  long weightBytes() {
    return HeapWeight.ofObject(1, 5 * Integer.BYTES + 1) + HeapWeight.ofString(label);
  }
}
