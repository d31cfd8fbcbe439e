package dev.larder.examples.shop;

import java.math.BigDecimal;

/** A row of {@code product}. */
public record Product(int id, String name, BigDecimal price, int stock) {}
