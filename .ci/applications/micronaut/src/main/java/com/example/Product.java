package com.example;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;

/** A product with its price. */
@MappedEntity
public record Product(@Id int id, int price) {}
