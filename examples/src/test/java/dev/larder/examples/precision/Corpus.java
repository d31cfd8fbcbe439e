package dev.larder.examples.precision;

import java.math.BigDecimal;
import java.util.List;

/** A small shop, pgbench's tables, and what Hibernate, jOOQ and pgbench send to them. */
final class Corpus {
  private Corpus() {}

  static final String SCHEMA =
      """
      CREATE TABLE customer (id int PRIMARY KEY, email text NOT NULL UNIQUE, name text NOT NULL);
      CREATE TABLE category (id int PRIMARY KEY, name text NOT NULL);
      CREATE TABLE product (id int PRIMARY KEY, category_id int NOT NULL REFERENCES category,
        name text NOT NULL, price numeric(10,2) NOT NULL, version int NOT NULL DEFAULT 0,
        updated_at timestamptz NOT NULL DEFAULT now());
      CREATE TABLE orders (id int PRIMARY KEY,
        customer_id int NOT NULL REFERENCES customer ON DELETE CASCADE, status text NOT NULL);
      CREATE TABLE order_item (order_id int REFERENCES orders ON DELETE CASCADE,
        product_id int REFERENCES product, quantity int NOT NULL, PRIMARY KEY (order_id, product_id));
      CREATE TABLE audit_log (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, what text);
      CREATE TABLE supplier (id int PRIMARY KEY, name text NOT NULL);
      CREATE SEQUENCE customer_seq START 100 INCREMENT 50;
      CREATE VIEW order_total AS SELECT o.id, o.customer_id, sum(i.quantity * p.price) AS total
        FROM orders o JOIN order_item i ON i.order_id = o.id JOIN product p ON p.id = i.product_id
        GROUP BY o.id, o.customer_id;
      CREATE MATERIALIZED VIEW category_sales AS SELECT p.category_id, sum(i.quantity) AS sold
        FROM order_item i JOIN product p ON p.id = i.product_id GROUP BY p.category_id;
      CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.updated_at := now(); RETURN NEW; END $$;
      CREATE TRIGGER set_updated_at BEFORE UPDATE ON product
        FOR EACH ROW EXECUTE FUNCTION touch();
      CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO audit_log (what) VALUES (TG_TABLE_NAME); RETURN NULL; END $$;
      CREATE FUNCTION audit_any() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN EXECUTE 'INSERT INTO ' || lower('AUDIT_LOG') || ' (what) VALUES ($1)' USING TG_NAME;
        RETURN NULL; END $$;
      CREATE TRIGGER audit_orders AFTER INSERT OR UPDATE OR DELETE ON orders
        FOR EACH ROW EXECUTE FUNCTION audit();
      CREATE TRIGGER audit_supplier AFTER INSERT OR UPDATE OR DELETE ON supplier
        FOR EACH ROW EXECUTE FUNCTION audit_any();
      CREATE EXTENSION unaccent;
      CREATE TABLE article (id int PRIMARY KEY, title text NOT NULL, slug text);
      CREATE FUNCTION slug() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.title <> '' THEN NEW.slug := lower(replace(unaccent(NEW.title), ' ', '-'));
          ELSE NEW.slug := NEW.id::text; END IF;
          RETURN NEW;
        END $$;
      CREATE TRIGGER set_slug BEFORE INSERT OR UPDATE ON article
        FOR EACH ROW EXECUTE FUNCTION slug();
      CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88));
      CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int, tbalance int, filler char(84));
      CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84));
      CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp);
      INSERT INTO customer SELECT i, i || '@example.com', 'Customer ' || i
        FROM generate_series(1, 9) i;
      INSERT INTO category VALUES (1, 'Books'), (2, 'Tea');
      INSERT INTO product SELECT i, 1 + i % 2, 'Product ' || i, i FROM generate_series(1, 9) i;
      INSERT INTO orders SELECT i, i, 'open' FROM generate_series(1, 9) i;
      INSERT INTO order_item SELECT i, i, i FROM generate_series(1, 9) i;
      INSERT INTO supplier VALUES (1, 'Supplier');
      INSERT INTO article VALUES (1, 'Th\u00e9 vert'), (2, 'Tea');
      INSERT INTO pgbench_branches VALUES (1, 0);
      INSERT INTO pgbench_tellers VALUES (1, 1, 0);
      INSERT INTO pgbench_accounts SELECT i, 1, 0 FROM generate_series(1, 9) i;
      """;

  static final List<Sql> READS =
      List.of(
          Sql.of(
              "hibernate: find customer",
              "select c1_0.id,c1_0.email,c1_0.name from customer c1_0 where c1_0.id=?",
              1),
          Sql.of(
              "hibernate: find several",
              "select c1_0.id,c1_0.email,c1_0.name from customer c1_0 where c1_0.id = any (?)",
              (Object) new Integer[] {1, 2, 3}),
          Sql.of(
              "hibernate: product with its category",
              "select p1_0.id,c1_0.id,c1_0.name,p1_0.name,p1_0.price,p1_0.updated_at,p1_0.version"
                  + " from product p1_0 join category c1_0 on c1_0.id=p1_0.category_id where p1_0.id=?",
              1),
          Sql.of(
              "hibernate: collection of items",
              "select i1_0.order_id,i1_0.product_id,i1_0.quantity from order_item i1_0"
                  + " where i1_0.order_id=?",
              1),
          Sql.of(
              "hibernate: page of orders",
              "select o1_0.id,o1_0.customer_id,o1_0.status from orders o1_0 where o1_0.status=?"
                  + " order by o1_0.id offset ? rows fetch first ? rows only",
              "open",
              0,
              5),
          Sql.of(
              "hibernate: exists",
              "select c1_0.id from customer c1_0 where exists(select 1 from orders o1_0"
                  + " where o1_0.customer_id=c1_0.id) order by c1_0.id"),
          Sql.of(
              "hibernate: like",
              "select p1_0.id,p1_0.name from product p1_0 where lower(p1_0.name) like ? escape ''"
                  + " order by p1_0.id",
              "product%"),
          Sql.of("hibernate: count", "select count(s1_0.id) from supplier s1_0"),
          Sql.of(
              "hibernate: view",
              "select t1_0.id,t1_0.total from order_total t1_0 where t1_0.id=?",
              1),
          Sql.of("hibernate: next id", "select nextval('customer_seq')"),
          Sql.of(
              "hibernate: pessimistic lock",
              "select p1_0.id,p1_0.version from product p1_0 where p1_0.id=? for no key update",
              1),
          Sql.of(
              "hibernate: since now",
              "select p1_0.id from product p1_0 where p1_0.updated_at>localtimestamp"),
          Sql.of(
              "jooq: by quoted names",
              "select \"public\".\"customer\".\"id\", \"public\".\"customer\".\"name\" from"
                  + " \"public\".\"customer\" where \"public\".\"customer\".\"email\" = ?",
              "1@example.com"),
          Sql.of(
              "jooq: fetch next",
              "select \"product\".\"id\", \"product\".\"price\" from \"product\" order by"
                  + " \"product\".\"price\" desc fetch next ? rows only",
              3),
          Sql.of(
              "jooq: nested as JSON",
              "select \"orders\".\"id\", (select coalesce(jsonb_agg(jsonb_build_array(\"v0\")),"
                  + " jsonb_build_array()) from (select \"order_item\".\"quantity\" as \"v0\" from"
                  + " \"order_item\" where \"order_item\".\"order_id\" = \"orders\".\"id\") as \"t\")"
                  + " from \"orders\" where \"orders\".\"id\" = ?",
              1),
          Sql.of(
              "jooq: window",
              "select \"product\".\"id\", rank() over (partition by \"product\".\"category_id\" order by"
                  + " \"product\".\"price\") from \"product\" order by \"product\".\"id\""),
          Sql.of(
              "jooq: with",
              "with \"best\" as (select \"order_item\".\"product_id\", sum(\"order_item\".\"quantity\") as"
                  + " \"sold\" from \"order_item\" group by \"order_item\".\"product_id\") select"
                  + " \"best\".\"product_id\" from \"best\" order by \"best\".\"sold\" desc,"
                  + " \"best\".\"product_id\" fetch next ? rows only",
              2),
          Sql.of("jooq: materialized view", "select * from \"category_sales\" order by 1"),
          Sql.of("jooq: audit log", "select count(*) from \"audit_log\""),
          Sql.of("jooq: current time", "select current_timestamp"),
          Sql.of(
              "shop: titles without accents (unaccent)",
              "select id from article where unaccent(title) = ? order by id",
              "The vert"),
          Sql.of(
              "report: days",
              "select p.updated_at::date, count(*) from product p group by p.updated_at::date"),
          Sql.of(
              "report: months",
              "select date_trunc('month', updated_at)::date, max(updated_at)::date from product"
                  + " group by 1"),
          Sql.of(
              "report: days in a zone",
              "select cast(updated_at at time zone 'Europe/Berlin' as date) from product"),
          Sql.of(
              "report: since",
              "select id from product where updated_at >= cast(? as date)",
              "2024-01-01"),
          Sql.of(
              "report: series",
              "select d::date, count(p.id) from generate_series(date '2024-01-01', '2024-01-03',"
                  + " interval '1 day') d left join product p on p.updated_at::date = d::date"
                  + " group by 1"),
          Sql.of(
              "report: years",
              "select extract(year from updated_at), to_char(updated_at, 'YYYY') from product"),
          Sql.of(
              "report: cast of what a subquery makes",
              "select m::date from (select date_trunc('month', updated_at) as m from product) x"),
          Sql.of("report: cast of a cast", "select updated_at::timestamp::date from product"),
          Sql.of("pgbench -S", "SELECT abalance FROM pgbench_accounts WHERE aid = 1;"),
          Sql.of("pgbench: branch", "SELECT bbalance FROM pgbench_branches WHERE bid = 1;"),
          Sql.of("pgbench: teller", "SELECT tbalance FROM pgbench_tellers WHERE tid = 1;"));

  static final List<Sql> WRITES =
      List.of(
          Sql.of(
              "hibernate: insert customer",
              "insert into customer (email,name,id) values (?,?,?)",
              "new@example.com",
              "New",
              10),
          Sql.of(
              "hibernate: update product (updated_at trigger)",
              "update product set name=?,price=?,version=? where id=? and version=?",
              "Renamed",
              new BigDecimal("3.00"),
              1,
              1,
              0),
          Sql.of(
              "hibernate: update order (audit trigger)",
              "update orders set status=? where id=?",
              "paid",
              2),
          Sql.of(
              "hibernate: insert item",
              "insert into order_item (quantity,order_id,product_id) values (?,?,?)",
              1,
              1,
              3),
          Sql.of("hibernate: delete order (cascades)", "delete from orders where id=?", 8),
          Sql.of(
              "hibernate: delete customer (cascades twice)", "delete from customer where id=?", 9),
          Sql.of(
              "jooq: upsert returning",
              "insert into \"category\" (\"id\", \"name\") values (?, ?) on conflict (\"id\") do update"
                  + " set \"name\" = excluded.\"name\" returning \"category\".\"id\"",
              2,
              "Teas"),
          Sql.of(
              "jooq: update from",
              "update \"product\" set \"price\" = \"product\".\"price\" + ? from \"category\" where"
                  + " \"category\".\"id\" = \"product\".\"category_id\"",
              new BigDecimal("1.00")),
          Sql.of("shop: refresh", "refresh materialized view category_sales"),
          Sql.of("shop: audit only", "insert into audit_log (what) values (?)", "by hand"),
          Sql.of(
              "shop: update supplier (dynamic SQL in a trigger)",
              "update supplier set name=? where id=?",
              "Other",
              1),
          Sql.of(
              "shop: update article (slug trigger that calls unaccent)",
              "update article set title=? where id=?",
              "Th\u00e9 noir",
              1),
          Sql.of("shop: next id", "select nextval('customer_seq')"),
          Sql.of(
              "pgbench: account",
              "UPDATE pgbench_accounts SET abalance = abalance + 5 WHERE aid = 1;"),
          Sql.of(
              "pgbench: teller",
              "UPDATE pgbench_tellers SET tbalance = tbalance + 5 WHERE tid = 1;"),
          Sql.of(
              "pgbench: branch",
              "UPDATE pgbench_branches SET bbalance = bbalance + 5 WHERE bid = 1;"),
          Sql.of(
              "pgbench: history",
              "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
                  + " VALUES (1, 1, 1, 5, CURRENT_TIMESTAMP);"));
}
