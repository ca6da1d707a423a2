import { describe, expect, it } from "vitest";
import {
  arrangeWallet,
  ownerOf,
  readDeposit,
  readEvents,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { useDeposits } from "../../../test/support/use-deposits.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/* Changing, canceling and resolving deposits through the real server and database, and the permissions that each requires. */

const { world, account, ask, make, pay } = useDeposits();

const patch = (id: string, attributes: JsonObject): JsonObject => ({
  data: { type: "deposit", id, attributes },
});

describe("PATCH /deposit/{id}/", () => {
  it("changes label, tracking_id and time_limit, and clears them with null or an empty string", async () => {
    const { id } = await make({ label: "Old", tracking_id: "1", time_limit: 100 });
    world.clock.advance(10);
    const url = `/deposit/${id}/`;
    const changed = await ask("PATCH", url, account.owner, patch(id, { label: "New" }));
    expect(changed.one.attributes).toMatchObject({
      label: "New",
      tracking_id: "1",
      time_limit: 100,
      status: 2,
      invoice_updated_at: changed.one.attributes["created_at"],
    });
    const limited = await ask(
      "PATCH",
      url,
      account.owner,
      patch(id, { time_limit: 59, tracking_id: "" }),
    );
    expect(limited.one.attributes).toMatchObject({
      time_limit: 59,
      tracking_id: null,
      label: "New",
    });
    expect(limited.one.attributes["invoice_updated_at"]).not.toBe(
      limited.one.attributes["created_at"],
    );
    const unlimited = await ask("PATCH", url, account.owner, patch(id, { time_limit: null }));
    expect(unlimited.one.attributes).toMatchObject({ time_limit: null, invoice_updated_at: null });
  });

  it("restarts the time limit if it is given alone, but not if the whole deposit is sent back with it", async () => {
    const deposit = await make({ time_limit: 100 });
    const url = `/deposit/${deposit.id}/`;
    const send = (attributes: JsonObject) =>
      ask("PATCH", url, account.owner, patch(deposit.id, attributes));
    const whole = { ...(await ask("GET", url)).one.attributes, label: "New" };
    world.clock.advance(60);
    const answer = await send(whole);
    expect([answer.status, answer.one.attributes]).toEqual([200, whole]);
    expect((await readDeposit(world, deposit)).expiresAt).toBe(deposit.expiresAt);

    const restarted = (await send({ time_limit: 100 })).one.attributes;
    const now = () => formatTimestamp(world.clock.now());
    expect(restarted["invoice_updated_at"]).toBe(now());
    expect((await readDeposit(world, deposit)).expiresAt).toBe(addSeconds(world.clock.now(), 100));
    // The deposit as it was before is out of date.
    expect(faults(await send(whole))).toEqual(["400", "1007 /data/attributes/invoice_updated_at"]);

    world.clock.advance(5);
    const changed = (await send({ ...restarted, time_limit: 200 })).one.attributes;
    expect(changed).toMatchObject({ time_limit: 200, invoice_updated_at: now() });
    const cleared = (await send({ ...changed, time_limit: null })).one.attributes;
    expect(cleared).toMatchObject({ time_limit: null, invoice_updated_at: null });
    expect((await send({ ...cleared, label: "" })).one.attributes).toEqual({
      ...cleared,
      label: null,
    });
  });

  it("rejects invalid values, time limits of other wallet types, and time limits of ended deposits", async () => {
    const { id } = await make();
    const url = `/deposit/${id}/`;
    const at = (field: string) => ["400", `1007 /data/attributes/${field}`];
    expect(
      faults(await ask("PATCH", url, account.owner, patch(id, { label: "x".repeat(33) }))),
    ).toEqual(at("label"));
    expect(faults(await ask("PATCH", url, account.owner, patch(id, { time_limit: 58 })))).toEqual(
      at("time_limit"),
    );
    expect(faults(await ask("PATCH", url, account.owner, patch("123", { label: "x" })))).toEqual([
      "409",
      "conflict /data/id",
    ]);
    await ask("POST", `/deposit/${id}/cancel/`);
    expect(faults(await ask("PATCH", url, account.owner, patch(id, { time_limit: 60 })))).toEqual(
      at("time_limit"),
    );
    expect((await ask("PATCH", url, account.owner, patch(id, { label: "x" }))).status).toBe(200);
    const vault = await arrangeWallet(world, { accountId: account.merchant.accountId });
    const other = await make({}, vault);
    expect(
      faults(
        await ask(
          "PATCH",
          `/deposit/${other.id}`,
          account.owner,
          patch(other.id, { time_limit: 60 }),
        ),
      ),
    ).toEqual(at("time_limit"));
  });

  it("accepts an unchanged time_limit, as in a whole resource that is sent back", async () => {
    const ended = await make({ time_limit: 100 });
    await ask("POST", `/deposit/${ended.id}/cancel/`);
    const vault = await arrangeWallet(world, { accountId: account.merchant.accountId });
    const endless = await make({}, vault);
    for (const { id } of [ended, endless]) {
      const { one } = await ask("GET", `/deposit/${id}/`);
      const { time_limit = null } = one.attributes;
      const answer = await ask(
        "PATCH",
        `/deposit/${id}/`,
        account.owner,
        patch(id, { time_limit, label: "New" }),
      );
      expect([answer.status, answer.one.attributes]).toEqual([
        200,
        { ...one.attributes, label: "New" },
      ]);
    }
  });
});

describe("POST /deposit/{id}/cancel/ and /resolve/", () => {
  const accept: JsonObject = { data: { type: "deposit", attributes: { action: "accept" } } };

  it("cancels an unpaid deposit with one callback", async () => {
    const deposit = await make();
    const answer = await ask("POST", `/deposit/${deposit.id}/cancel`);
    expect([answer.status, answer.one.attributes["status"]]).toEqual([200, 4]);
    expect((await ask("POST", `/deposit/${deposit.id}/cancel/`)).one.attributes["status"]).toBe(4);
    expect(await readEvents(world, deposit)).toEqual(["status (feed)"]);
  });

  it("makes a paid deposit Unresolved on cancel, and accepts it on resolve", async () => {
    const deposit = await make({ target_amount_requested: "200" });
    await pay(deposit, "0.05");
    world.clock.advance(1);
    const canceled = await ask("POST", `/deposit/${deposit.id}/cancel/`);
    expect(canceled.one.attributes).toMatchObject({ status: 5, target_paid: "100.00" });
    world.clock.advance(1);
    const resolved = await ask("POST", `/deposit/${deposit.id}/resolve/`, account.owner, accept);
    expect([resolved.status, resolved.one.attributes["status"]]).toEqual([200, 3]);
    expect((await readDeposit(world, deposit)).sums.enrolled).toBe(10_000n);
    expect(
      faults(await ask("POST", `/deposit/${deposit.id}/resolve/`, account.owner, accept)),
    ).toEqual(["400", "1007"]);
  });

  it("rejects unknown actions of resolve", async () => {
    const { id } = await make();
    const pointer = ["400", "1007 /data/attributes/action"];
    const send = (attributes: JsonObject) =>
      ask("POST", `/deposit/${id}/resolve/`, account.owner, {
        data: { type: "deposit", attributes },
      });
    expect(faults(await send({}))).toEqual(pointer);
    expect(faults(await send({ action: "burn" }))).toEqual(pointer);
    expect(faults(await send({ action: "accept" }))).toEqual(["400", "1007"]);
  });

  it("rejects canceling an Enterprise deposit", async () => {
    const vault = await arrangeWallet(world, { accountId: account.merchant.accountId });
    const { id } = await make({}, vault);
    expect(faults(await ask("POST", `/deposit/${id}/cancel/`))).toEqual(["400", "1007"]);
  });

  it("rejects callers who may not change the deposit with 403, 400/5001 or 404", async () => {
    const deposit = await make();
    const reader = { ...account.owner, memberId: "3", role: "read_only" as const };
    const narrow = { ...account.owner, memberId: "4", wallets: new Map() };
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const [as, expected] of [
      [reader, ["403", "permission_denied"]],
      [narrow, ["400", "5001"]],
      [stranger, ["404", "404"]],
    ] as const) {
      const url = `/deposit/${deposit.id}/`;
      expect(faults(await ask("POST", `${url}cancel/`, as))).toEqual(expected);
      expect(faults(await ask("POST", `${url}resolve/`, as, accept))).toEqual(expected);
      const body = patch(deposit.id, { label: "mine" });
      expect(faults(await ask("PATCH", url, as, body))).toEqual(expected);
    }
    expect(await readDeposit(world, deposit)).toEqual(deposit);
  });
});
