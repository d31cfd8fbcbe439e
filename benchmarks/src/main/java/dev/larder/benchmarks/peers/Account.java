package dev.larder.benchmarks.peers;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of account, for Hibernate. */
@Entity
@Table(name = "account")
public class Account {
  @Id
  @Column(name = "aid")
  private int id;

  @Column(name = "abalance")
  private int balance;

  /** For Hibernate. */
  protected Account() {}

  /** Returns the key. */
  public int id() {
    return id;
  }

  /** Returns the balance. */
  public int balance() {
    return balance;
  }
}
