import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { quietSeconds, useMailSite } from "../../test/support/mail-site.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import {
  aPayment,
  arrangeReader as arrangeNoticeReader,
} from "../../test/support/notice-readers.ts";
import { storeIsOperator } from "../accounts/operator.store.ts";
import { silentLogger } from "../platform/kernel/logger.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { MailTransport } from "../platform/mail/smtp-transport.ts";
import type { Notice } from "./notice.ts";
import type { NoticeEvent } from "./notice-event.ts";
import { recordNotices } from "./record-notices.ts";
import { createNodeWatch } from "./watch-nodes.ts";

/* What members are notified, from the transaction in which it happens to a real SMTP server. Time is the test's. */

const database = useDatabase();
const clock = manualClock();
const mail = useMailSite(database, clock);
type Chosen =
  Parameters<typeof arrangeNoticeReader> extends [unknown, ...infer Rest] ? Rest : never;
const arrangeReader = (...chosen: Chosen) =>
  arrangeNoticeReader({ database, clock, mail }, ...chosen);

beforeEach(async () => {
  await database.sql(
    "truncate email, notice, member_contact, receipt_request, node_outage cascade",
  );
  mail.server.setAccepting(true);
});

const receivedBy = (address: string) =>
  mail.server.received().filter(({ to }) => to.includes(address));

function notice(accountId: string, event = aPayment(), audience?: Notice["audience"]): Notice {
  return {
    audience: audience ?? { accountId, members: "everyone" },
    event,
    paidDepositId: null,
  };
}

/** A payment on hold, which is another topic. */
const held: NoticeEvent = {
  kind: "payment_held",
  deposit: { id: "9", order: null, label: null },
  amount: { value: "1.00", code: "USD" },
  cause: "late",
  difference: null,
};

const record = (...notices: readonly Notice[]) =>
  database.db.transaction((tx) => recordNotices(tx, notices, clock.now()));

describe("a notification", () => {
  it("reaches the members who chose its topic, as text and HTML, with a link and a way out", async () => {
    const reader = await arrangeReader(["paid"]);
    const other = await arrangeReader(["on_hold"], { accountId: reader.accountId });
    const stranger = await arrangeReader(["paid"]);
    await record(notice(reader.accountId, aPayment("1", '<b>Tea & "cake"</b>')));
    await mail.run();
    expect(other.emails()).toEqual([]);
    expect(stranger.emails()).toEqual([]);
    const [email, ...more] = reader.emails();
    expect(more).toEqual([]);
    expect(email).toMatchObject({
      from: "noreply@sluice.example",
      to: [reader.email],
      subject: 'Payment received: 10.00 USD for deposit 1 (<b>Tea & "cake"</b>)',
    });
    expect(email?.text).toContain("https://pay.example/ui/deposits/1");
    expect(email?.html).toContain("(&lt;b&gt;Tea &amp; &quot;cake&quot;&lt;/b&gt;)");
    expect(email?.html).not.toContain("<b>");
    expect(email?.headers).toMatchObject({
      "auto-submitted": "auto-generated",
      "list-unsubscribe": expect.stringMatching(
        /^<https:\/\/pay\.example\/unsubscribe\/[\w-]{43}\/>$/,
      ) as unknown,
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      date: "Fri, 02 Jan 2026 03:04:05 +0000",
    });
  });

  it("cannot add a header through a name that a merchant chose", async () => {
    const reader = await arrangeReader(["paid"]);
    await record(notice(reader.accountId, aPayment("1", "x\r\nBcc: eve@evil.example")));
    await mail.run();
    const [email] = reader.emails();
    expect(email?.headers["bcc"]).toBeUndefined();
    expect(email?.subject).toBe(
      "Payment received: 10.00 USD for deposit 1 (x Bcc: eve@evil.example)",
    );
    expect(receivedBy("eve@evil.example")).toEqual([]);
  });

  it("tells nobody of what was rolled back", async () => {
    const reader = await arrangeReader(["paid"]);
    const rollback = new Error("rolled back");
    const failing = database.db.transaction(async (tx) => {
      await recordNotices(tx, [notice(reader.accountId)], clock.now());
      throw rollback;
    });
    await expect(failing).rejects.toBe(rollback);
    await mail.run();
    expect(reader.emails()).toEqual([]);
  });

  it("comes at once, and then once per quiet period with everything that happened in the meantime", async () => {
    const reader = await arrangeReader(["paid", "on_hold"]);
    await record(notice(reader.accountId));
    await mail.run();
    for (let index = 0; index < 30; index += 1)
      await record(notice(reader.accountId, aPayment(String(index))));
    await record(notice(reader.accountId, aPayment("5")));
    // Another topic does not wait.
    await record(notice(reader.accountId, held));
    clock.advance(quietSeconds - 1);
    await mail.run();
    expect(reader.emails().map(({ subject }) => subject)).toEqual([
      "Payment received: 10.00 USD for deposit 1",
      "Payment on hold: 1.00 USD for deposit 9, paid late",
    ]);
    clock.advance(1);
    await mail.run();
    await mail.run();
    const [, , digest, ...more] = reader.emails();
    expect(more).toEqual([]);
    expect(digest?.subject).toBe("30 payments received");
    expect(digest?.text).toContain("10.00 USD for deposit 19\n");
    expect(digest?.text).not.toContain("for deposit 20");
    expect(digest?.text).toContain("and 10 more");
  });

  it("keeps wallets from members who do not see them, and everything from deactivated ones and initial passwords", async () => {
    const owner = await arrangeReader(["paid", "webhook_failing"]);
    const { accountId } = owner;
    const [first, second] = await wallets(accountId);
    const granted = await arrangeReader(["paid", "webhook_failing"], {
      accountId,
      wallets: new Map([[first, { mayPay: false }]]),
    });
    const left = await arrangeReader(["paid"], { accountId });
    await database.sql("update member set deactivated_at = $2 where id = $1", [
      left.memberId,
      "2026-01-01T00:00:00Z",
    ]);
    const renewed = await arrangeReader(["paid", "webhook_failing"], { accountId });
    await database.sql("update person_login set is_initial = true where member_id = $1", [
      renewed.memberId,
    ]);
    await record(
      notice(accountId, aPayment("1"), { accountId, walletId: first }),
      notice(accountId, aPayment("2"), { accountId, walletId: second }),
      notice(
        accountId,
        { kind: "webhook_failing", host: "shop.example" },
        { accountId, members: "all_wallets" },
      ),
    );
    await mail.run();
    const subjects = owner.emails().map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual([
      "2 payments received",
      "Webhook deliveries are failing: shop.example",
    ]);
    expect(granted.emails().map(({ subject }) => subject)).toEqual([
      "Payment received: 10.00 USD for deposit 1",
    ]);
    expect(left.emails()).toEqual([]);
    expect(renewed.emails()).toEqual([]);
  });

  it("tells every account of stopped payouts, and only operators of nodes", async () => {
    const topics = ["payouts_stopped", "node_down"] as const;
    const [operator, merchant] = [await arrangeReader(topics), await arrangeReader(topics)];
    await storeIsOperator(database.db, operator.accountId, true);
    const cause = { chain: "BTC", wallet: null, cause: "kill_switch", reason: "a drill" } as const;
    await record(
      notice("", { kind: "payouts_stopped", ...cause }, "deployment"),
      notice("", { kind: "node_down", chain: "BTC" }, "deployment"),
    );
    await mail.run();
    expect(operator.emails()).toHaveLength(2);
    expect(merchant.emails().map(({ subject }) => subject)).toEqual([
      "Payouts are stopped: payouts on BTC (a drill)",
    ]);
  });
});

describe("sending", () => {
  it("repeats an email under the same Message-ID after a crash between acceptance and record", async () => {
    const reader = await arrangeReader(["paid"]);
    await record(notice(reader.accountId));
    // The process dies when the server has accepted the message: nothing is recorded.
    const dying: MailTransport = {
      ...mail.transport,
      send: async (message) => {
        await mail.transport.send(message);
        throw new Error("killed");
      },
    };
    await mail.run({ transport: dying });
    await mail.run();
    expect(reader.emails()).toHaveLength(1);
    clock.advance(121);
    await mail.run();
    await mail.run();
    const ids = reader.emails().map(({ message_id }) => message_id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("tries again with growing delays while the server is in trouble, and loses nothing", async () => {
    const reader = await arrangeReader(["paid"]);
    await record(notice(reader.accountId));
    mail.server.setAccepting(false);
    await mail.run();
    expect(await emailRow()).toMatchObject({ status: "pending", attempts: 1 });
    clock.advance(5);
    await mail.run();
    expect(await emailRow()).toMatchObject({ attempts: 1 });
    clock.advance(8);
    await mail.run();
    expect(await emailRow()).toMatchObject({ status: "pending", attempts: 2 });
    mail.server.setAccepting(true);
    clock.advance(73);
    await mail.run();
    expect(await emailRow()).toMatchObject({ status: "sent", due_at: null, claimed_until: null });
    expect(reader.emails()).toHaveLength(1);
  });

  it("gives an email up after the last delay, or when the server refuses it permanently", async () => {
    const reader = await arrangeReader(["paid"]);
    await record(notice(reader.accountId));
    mail.server.setAccepting(false);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await mail.run();
      clock.advance(110_000);
    }
    expect(await emailRow()).toMatchObject({ status: "failed", attempts: 9, due_at: null });
    await database.sql("truncate email");
    await record(notice(reader.accountId));
    const refusing: MailTransport = {
      ...mail.transport,
      send: () => Promise.resolve({ kind: "refused", error: "550 no such user" }),
    };
    await mail.run({ transport: refusing });
    expect(await emailRow()).toMatchObject({
      status: "failed",
      attempts: 1,
      last_error: "550 no such user",
    });
    expect(reader.emails()).toEqual([]);
  });

  it("gives an email up that cannot be rendered, after the attempts that any email has", async () => {
    const reader = await arrangeReader(["paid"]);
    await record(notice(reader.accountId));
    mail.server.setAccepting(false);
    await mail.run();
    mail.server.setAccepting(true);
    await database.sql("update email set content = '{}'");
    const lines: string[] = [];
    const logger = { ...silentLogger, warn: (line: string) => lines.push(line) };
    for (let attempt = 1; attempt < 12; attempt += 1) {
      clock.advance(110_000);
      await mail.run({ logger });
    }
    expect(await emailRow()).toMatchObject({ status: "failed", attempts: 9, due_at: null });
    expect(lines).toEqual(["an email was given up"]);
    expect(reader.emails()).toEqual([]);
  });

  it("sends an email once it can be rendered", async () => {
    const reader = await arrangeReader(["paid"]);
    await record(notice(reader.accountId));
    await mail.run({ render: () => Promise.reject(new Error("a data key is missing")) });
    expect(await emailRow()).toMatchObject({ status: "pending", attempts: 1 });
    clock.advance(13);
    await mail.run();
    expect(reader.emails()).toHaveLength(1);
  });

  it("keeps a token that does not open until the email is given up", async () => {
    const { accountId } = await arrangeReader([]);
    await database.sql(
      `insert into email (account_id, kind, recipient, content, secret_sealed, status, due_at, created_at, updated_at)
       values ($1, 'password_reset', 'lost@shop.example', '{}', $2, 'pending', $3, $3, $3)`,
      [accountId, Buffer.alloc(80), formatTimestamp(clock.now())],
    );
    await mail.run();
    expect(await emailRow()).toMatchObject({
      status: "pending",
      attempts: 1,
      secret_sealed: expect.any(Uint8Array) as Uint8Array,
    });
    for (let attempt = 1; attempt < 12; attempt += 1) {
      clock.advance(110_000);
      await mail.run();
    }
    expect(await emailRow()).toMatchObject({
      status: "failed",
      attempts: 9,
      secret_sealed: null,
      recipient: null,
      last_error: "the value was not sealed by this service",
    });
  });

  it("tries an email again whose unsubscribe key could not be read from the database", async () => {
    const reader = await arrangeReader(["paid"]);
    await record(notice(reader.accountId));
    await mail.run({
      render: () => Promise.reject(new Unavailable("database", "the connection ended")),
    });
    expect(await emailRow()).toMatchObject({ status: "pending", attempts: 0 });
    clock.advance(121);
    await mail.run();
    expect(reader.emails()).toHaveLength(1);
  });

  it("sends each email once when two workers send at the same time", async () => {
    const reader = await arrangeReader(["paid", "on_hold"]);
    await record(notice(reader.accountId), notice(reader.accountId, held));
    await Promise.all([mail.run(), mail.run(), mail.run()]);
    expect(reader.emails()).toHaveLength(2);
  });

  const emailRow = async () => {
    const [row, ...more] = await database.sql<Record<string, unknown>>("select * from email");
    expect(more).toEqual([]);
    return row;
  };
});

describe("a node that comes and goes", () => {
  it("is notified once per outage and once of its end, and never right after a start", async () => {
    const operator = await arrangeReader(["node_down"]);
    await storeIsOperator(database.db, operator.accountId, true);
    await database.sql(
      `insert into chain_cursor (chain, network, updated_at, caught_up_at) values ('BTC', 'regtest', $1, $1)
       on conflict (chain) do update set caught_up_at = excluded.caught_up_at`,
      ["2026-01-01T00:00:00Z"],
    );
    const watch = createNodeWatch({ db: database.db, clock, chains: ["BTC"] });
    const pass = async (isUp: boolean, seconds: number) => {
      clock.advance(seconds);
      if (isUp)
        await database.sql("update chain_cursor set caught_up_at = $1 where chain = 'BTC'", [
          formatTimestamp(clock.now()),
        ]);
      await watch();
      await mail.run();
    };
    await pass(false, 100);
    expect(operator.emails()).toEqual([]);
    await pass(false, 100);
    expect(operator.emails()).toHaveLength(1);
    expect(operator.emails()[0]?.subject).toContain("Node not responding: BTC");
    for (let flap = 0; flap < 20; flap += 1) {
      await pass(true, 60);
      await pass(false, 200);
    }
    expect(operator.emails()).toHaveLength(1);
    await pass(true, 10);
    await pass(true, 1_801);
    await pass(true, 5);
    expect(operator.emails()).toHaveLength(2);
    expect(operator.emails()[1]?.subject).toContain("Node responding again: BTC");
    expect(operator.emails()[1]?.text).toContain("For 87 minutes before");
    clock.advance(quietSeconds);
    await pass(false, 200);
    expect(operator.emails()).toHaveLength(3);
    expect(operator.emails()[2]?.subject).toContain("Node not responding: BTC");
    // Seen by nobody for two days: no news any more.
    await pass(true, 2 * 86_400);
    expect(operator.emails()).toHaveLength(3);
    expect(await database.sql("select from node_outage")).toEqual([]);
  });
});

async function wallets(accountId: string): Promise<readonly [string, string]> {
  const rows = await database.sql<{ id: string }>(
    `insert into wallet (account_id, type, currency, label, status, created_at)
     select $1, 1, '840', 'w', 2, $2 from generate_series(1, 2) returning id`,
    [accountId, "2026-01-01T00:00:00Z"],
  );
  return [rows[0]?.id ?? "", rows[1]?.id ?? ""];
}
