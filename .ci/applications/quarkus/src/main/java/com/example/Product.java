package com.example;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A product with its price. */
@Entity
public class Product extends PanacheEntityBase {
  @Id public int id;
  public int price;
}
