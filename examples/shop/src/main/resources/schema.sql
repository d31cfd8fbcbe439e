CREATE TABLE product (id int PRIMARY KEY, name text NOT NULL, price numeric NOT NULL, stock int NOT NULL);
CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, product int NOT NULL REFERENCES product, amount int NOT NULL);
INSERT INTO product SELECT i, 'product ' || i, 10 + i, 1000 FROM generate_series(1, 200) i;
