insert into customer (email,name,city,id) values (?,?,?,?)
update customer set email=?,name=?,city=? where id=?
delete from customer where id=?
INSERT INTO "shop"."customer" ("id", "email") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "email" = excluded."email"
UPDATE customer SET name = name || 'x' WHERE email IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM customer USING customer WHERE customer.id = customer.email
insert into orders (customer_id,status,total,id) values (?,?,?,?)
update orders set customer_id=?,status=?,total=? where id=?
delete from orders where id=?
INSERT INTO "shop"."orders" ("id", "customer_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "customer_id" = excluded."customer_id"
UPDATE orders SET status = status || 'x' WHERE customer_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM orders USING customer WHERE customer.id = orders.customer_id
insert into product (name,price,category_id,id) values (?,?,?,?)
update product set name=?,price=?,category_id=? where id=?
delete from product where id=?
INSERT INTO "shop"."product" ("id", "name") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name"
UPDATE product SET price = price || 'x' WHERE name IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM product USING customer WHERE customer.id = product.name
insert into invoice (order_id,amount,due,id) values (?,?,?,?)
update invoice set order_id=?,amount=?,due=? where id=?
delete from invoice where id=?
INSERT INTO "shop"."invoice" ("id", "order_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "order_id" = excluded."order_id"
UPDATE invoice SET amount = amount || 'x' WHERE order_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM invoice USING customer WHERE customer.id = invoice.order_id
insert into shipment (order_id,carrier,tracking,id) values (?,?,?,?)
update shipment set order_id=?,carrier=?,tracking=? where id=?
delete from shipment where id=?
INSERT INTO "shop"."shipment" ("id", "order_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "order_id" = excluded."order_id"
UPDATE shipment SET carrier = carrier || 'x' WHERE order_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM shipment USING customer WHERE customer.id = shipment.order_id
insert into address (customer_id,street,zip,id) values (?,?,?,?)
update address set customer_id=?,street=?,zip=? where id=?
delete from address where id=?
INSERT INTO "shop"."address" ("id", "customer_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "customer_id" = excluded."customer_id"
UPDATE address SET street = street || 'x' WHERE customer_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM address USING customer WHERE customer.id = address.customer_id
insert into review (product_id,stars,body,id) values (?,?,?,?)
update review set product_id=?,stars=?,body=? where id=?
delete from review where id=?
INSERT INTO "shop"."review" ("id", "product_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "product_id" = excluded."product_id"
UPDATE review SET stars = stars || 'x' WHERE product_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM review USING customer WHERE customer.id = review.product_id
insert into payment (order_id,method,paid,id) values (?,?,?,?)
update payment set order_id=?,method=?,paid=? where id=?
delete from payment where id=?
INSERT INTO "shop"."payment" ("id", "order_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "order_id" = excluded."order_id"
UPDATE payment SET method = method || 'x' WHERE order_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM payment USING customer WHERE customer.id = payment.order_id
insert into stock (product_id,amount,place,id) values (?,?,?,?)
update stock set product_id=?,amount=?,place=? where id=?
delete from stock where id=?
INSERT INTO "shop"."stock" ("id", "product_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "product_id" = excluded."product_id"
UPDATE stock SET amount = amount || 'x' WHERE product_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM stock USING customer WHERE customer.id = stock.product_id
insert into coupon (customer_id,code,rebate,id) values (?,?,?,?)
update coupon set customer_id=?,code=?,rebate=? where id=?
delete from coupon where id=?
INSERT INTO "shop"."coupon" ("id", "customer_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "customer_id" = excluded."customer_id"
UPDATE coupon SET code = code || 'x' WHERE customer_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM coupon USING customer WHERE customer.id = coupon.customer_id
insert into category (parent_id,name,sort,id) values (?,?,?,?)
update category set parent_id=?,name=?,sort=? where id=?
delete from category where id=?
INSERT INTO "shop"."category" ("id", "parent_id") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "parent_id" = excluded."parent_id"
UPDATE category SET name = name || 'x' WHERE parent_id IN (SELECT id FROM customer WHERE city = 'Rome') RETURNING id
DELETE FROM category USING customer WHERE customer.id = category.parent_id
UPDATE pgbench_accounts SET abalance = abalance + 42 WHERE aid = 1
UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, 1, 1, 42, CURRENT_TIMESTAMP)
insert into orders default values
insert into t select * from u
insert into t (a, b) values (1, 2), (3, 4) on conflict do nothing returning a
insert into t as x (a) values (1) on conflict (a) where b do update set c = x.c + 1
insert into t overriding system value values (1)
update t set (a, b) = (select c, d from u where u.id = t.id)
update t set a = default where current of c
update t x set a = y.b from y where x.id = y.id
delete from t where id in (select id from u for update skip locked) returning *
merge into t using u on t.id = u.id when matched then update set a = u.a when not matched then insert (id, a) values (u.id, u.a)
merge into t x using (select 1 as id) y on x.id = y.id when matched and x.a > 1 then delete when not matched then do nothing
with n as (select 1 as id) insert into t select id from n
with d as (delete from t where a < ? returning *) insert into archive select * from d
with u as (update t set a = 1 returning id) select count(*) from u
with i as (insert into t values (1) returning id), j as (insert into v select id from i returning id) select * from j
