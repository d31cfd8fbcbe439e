package com.example;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.CrudRepository;

/** The products of the table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface Products extends CrudRepository<Product, Integer> {
  /** Changes the price of the product {@code id}. */
  void update(@Id int id, int price);
}
