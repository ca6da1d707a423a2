import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { quietSeconds, useMailSite } from "../../test/support/mail-site.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import { aPayment, arrangeReader } from "../../test/support/notice-readers.ts";
import { storeIsOperator } from "../accounts/operator.store.ts";
import { formatTimestamp } from "../platform/kernel/timestamp.ts";
import { type EmailLanguage, emailLanguages } from "./email-language.ts";
import type { DeliveryError, NoticeEvent, NoticeKind, StatedChange } from "./notice-event.ts";
import { noticeLine } from "./notice-text.ts";
import { recordNotices } from "./record-notices.ts";
import { tellAdministrators } from "./tell-administrators.ts";
import { topics } from "./topic.ts";

/* What emails say, in each language, as a real SMTP server receives them. */

const database = useDatabase();
const clock = manualClock();
const mail = useMailSite(database, clock);
const allTopics = topics.map(({ value }) => value);

beforeEach(async () => {
  await database.sql("truncate email, notice, member_contact cascade");
});

/** An operator's member who is notified of everything, in a language. */
async function reader(language?: EmailLanguage) {
  const site = { database, clock, mail };
  const member = await arrangeReader(site, allTopics, language === undefined ? {} : { language });
  await storeIsOperator(database.db, member.accountId, true);
  await database.sql("update account set payment_page_shop_name = 'Tea House' where id = $1", [
    member.accountId,
  ]);
  return member;
}

async function tell(accountId: string, ...events: readonly NoticeEvent[]): Promise<void> {
  const notices = events.map((event) => ({
    audience: { accountId, members: "everyone" } as const,
    event,
    paidDepositId: null,
  }));
  await database.db.transaction((tx) => recordNotices(tx, notices, clock.now()));
  await mail.run();
}

const address = "0x52908400098527886E0F7030069857D2E4169EE7";
const deposit = { id: "17", order: "4711", label: null };
const payout = {
  id: "9",
  label: "Rent",
  trackingId: "P-1",
  amount: { value: "0.500000000000000000", code: "ETH" },
  worth: { value: "1250.00", code: "USD" },
  recipient: "Alice Ltd.",
  address,
  tag: null,
};
const change: StatedChange = {
  kind: "limit",
  code: "USDT",
  span: "day",
  walletId: null,
  former: "10000.000000",
  amount: "50000.500000",
  chain: null,
  address: null,
  tag: null,
  label: null,
  isEnforced: null,
};

const events: { readonly [Kind in NoticeKind]: Extract<NoticeEvent, { readonly kind: Kind }> } = {
  payment_received: {
    kind: "payment_received",
    deposit,
    amount: { value: "1250.00", code: "USD" },
    worth: null,
    transferId: null,
  },
  payment_screened: {
    kind: "payment_screened",
    deposit: { id: "17", order: null, label: "Blue" },
    amount: { value: "0.04000000", code: "BTC" },
    worth: { value: "2600.10", code: "EUR" },
    transferId: "3",
  },
  payment_held: {
    kind: "payment_held",
    deposit,
    amount: { value: "25.00", code: "USD" },
    cause: "overpaid",
    difference: { value: "5.00", code: "USD" },
  },
  payout_held: { kind: "payout_held", ...payout, recipient: null, worth: null, label: null },
  payout_failed: { kind: "payout_failed", ...payout, worth: null, label: null },
  payout_approval: { kind: "payout_approval", ...payout, by: "Dana Fox" },
  batch_approval: {
    kind: "batch_approval",
    id: "5",
    reference: "Salaries",
    payouts: 12,
    amount: { value: "1.500000000000000000", code: "ETH" },
    worth: { value: "3750.00", code: "USD" },
    by: "Dana Fox",
  },
  change_approval: { kind: "change_approval", id: "7", by: "Dana Fox", change },
  webhook_failing: { kind: "webhook_failing", host: "shop.example" },
  payouts_stopped: {
    kind: "payouts_stopped",
    chain: null,
    wallet: null,
    cause: "kill_switch",
    reason: "a drill",
  },
  payouts_resumed: {
    kind: "payouts_resumed",
    chain: null,
    wallet: { id: "9", label: "Main" },
    cause: null,
    by: "Dana Fox",
    at: "2026-03-01T12:30:00.000000Z",
  },
  node_down: { kind: "node_down", chain: "BTC" },
  node_answers: { kind: "node_answers", chain: "BTC", minutes: 87 },
};

const subjects: Readonly<Record<EmailLanguage, Readonly<Record<NoticeKind, string>>>> = {
  en: {
    payment_received: "Payment received: 1,250.00 USD for order 4711",
    payment_screened: "Payment held by screening: 0.04 BTC (≈ 2,600.10 EUR) for deposit 17 (Blue)",
    payment_held: "Payment on hold: 25.00 USD for order 4711, overpaid by 5.00 USD",
    payout_held: "Payout on hold: 0.5 ETH to 0x529084…E4169EE7 (payout 9)",
    payout_failed: "Payout failed: 0.5 ETH to Alice Ltd. (payout 9)",
    payout_approval: "Payout needs approval: 0.5 ETH (≈ 1,250.00 USD) to Alice Ltd. (Rent)",
    batch_approval: "Payout batch needs approval: 12 payouts, 1.5 ETH (≈ 3,750.00 USD) (Salaries)",
    change_approval:
      "Change of payout protection needs approval: Limit per day: 10,000 USDT → 50,000.5 USDT (requested by Dana Fox)",
    webhook_failing: "Webhook deliveries are failing: shop.example",
    payouts_stopped: "Payouts are stopped: all payouts (a drill)",
    payouts_resumed: "Payouts are resumed: payouts of wallet 9 (Main)",
    node_down: "Node not responding: BTC",
    node_answers: "Node responding again: BTC",
  },
  de: {
    payment_received: "Zahlung eingegangen: 1.250,00 USD für Bestellung 4711",
    payment_screened:
      "Zahlung von der Risikoprüfung angehalten: 0,04 BTC (≈ 2.600,10 EUR) für Einzahlung 17 (Blue)",
    payment_held: "Zahlung zurückgehalten: 25,00 USD für Bestellung 4711, 5,00 USD zu viel gezahlt",
    payout_held: "Auszahlung zurückgehalten: 0,5 ETH an 0x529084…E4169EE7 (Auszahlung 9)",
    payout_failed: "Auszahlung fehlgeschlagen: 0,5 ETH an Alice Ltd. (Auszahlung 9)",
    payout_approval: "Auszahlung zu genehmigen: 0,5 ETH (≈ 1.250,00 USD) an Alice Ltd. (Rent)",
    batch_approval:
      "Sammelauszahlung zu genehmigen: 12 Auszahlungen, 1,5 ETH (≈ 3.750,00 USD) (Salaries)",
    change_approval:
      "Änderung des Auszahlungsschutzes zu genehmigen: Limit pro Tag: 10.000 USDT → 50.000,5 USDT (beantragt von Dana Fox)",
    webhook_failing: "Webhook-Zustellungen schlagen fehl: shop.example",
    payouts_stopped: "Auszahlungen sind gestoppt: alle Auszahlungen (a drill)",
    payouts_resumed: "Auszahlungen werden fortgesetzt: Auszahlungen der Wallet 9 (Main)",
    node_down: "Ein Knoten antwortet nicht: BTC",
    node_answers: "Ein Knoten antwortet wieder: BTC",
  },
  es: {
    payment_received: "Pago recibido: 1.250,00 USD por el pedido 4711",
    payment_screened:
      "Pago bloqueado por el control de riesgos: 0,04 BTC (≈ 2.600,10 EUR) por el depósito 17 (Blue)",
    payment_held: "Pago retenido: 25,00 USD por el pedido 4711, 5,00 USD pagados de más",
    payout_held: "Desembolso retenido: 0,5 ETH a 0x529084…E4169EE7 (desembolso 9)",
    payout_failed: "Desembolso fallido: 0,5 ETH a Alice Ltd. (desembolso 9)",
    payout_approval: "Desembolso por aprobar: 0,5 ETH (≈ 1.250,00 USD) a Alice Ltd. (Rent)",
    batch_approval:
      "Lote de desembolsos por aprobar: 12 desembolsos, 1,5 ETH (≈ 3.750,00 USD) (Salaries)",
    change_approval:
      "Cambio de la protección de desembolsos por aprobar: Límite por día: 10.000 USDT → 50.000,5 USDT (solicitado por Dana Fox)",
    webhook_failing: "Fallan las entregas de webhooks: shop.example",
    payouts_stopped: "Los desembolsos están detenidos: todos los desembolsos (a drill)",
    payouts_resumed: "Los desembolsos se han reanudado: desembolsos del monedero 9 (Main)",
    node_down: "Un nodo no responde: BTC",
    node_answers: "Un nodo vuelve a responder: BTC",
  },
  zh: {
    payment_received: "已收到付款：订单 4711，1,250.00 USD",
    payment_screened: "付款被风控审查拦截：收款单 17（Blue），0.04 BTC（≈ 2,600.10 EUR）",
    payment_held: "付款暂扣待处理：订单 4711，25.00 USD，多付 5.00 USD",
    payout_held: "出款暂扣待处理：向 0x529084…E4169EE7 支付 0.5 ETH（出款 9）",
    payout_failed: "出款失败：向 Alice Ltd. 支付 0.5 ETH（出款 9）",
    payout_approval: "出款需要批准：向 Alice Ltd. 支付 0.5 ETH（≈ 1,250.00 USD）（Rent）",
    batch_approval: "出款批次需要批准：12 笔出款，1.5 ETH（≈ 3,750.00 USD）（Salaries）",
    change_approval:
      "出款保护的更改需要批准：每日限额：10,000 USDT → 50,000.5 USDT（申请人：Dana Fox）",
    webhook_failing: "Webhook 投递失败：shop.example",
    payouts_stopped: "出款已停止：所有出款（a drill）",
    payouts_resumed: "出款已恢复：钱包 9（Main） 的出款",
    node_down: "节点无响应：BTC",
    node_answers: "节点已恢复响应：BTC",
  },
};

const digests: Readonly<Record<EmailLanguage, readonly string[]>> = {
  en: ["2 payments received", "and 3 more", "Payout needs approval: "],
  de: ["2 Zahlungen eingegangen", "und 3 weitere", "Auszahlung zu genehmigen: "],
  es: ["2 pagos recibidos", "y 3 más", "Desembolso por aprobar: "],
  zh: ["已收到 2 笔付款", "另有 3 条", "出款需要批准："],
};

describe.each(emailLanguages)("a notification in %s", (language) => {
  it("says in its subject and first line what happened, for each kind of event", async () => {
    for (const [kind, event] of Object.entries(events)) {
      const member = await reader(language);
      await tell(member.accountId, event);
      const [email, ...more] = member.emails();
      expect(more).toEqual([]);
      const subject = subjects[language][event.kind];
      expect([kind, email?.subject]).toEqual([kind, subject]);
      expect(email?.text.startsWith(`${subject}\n`)).toBe(true);
      expect(email?.html).toContain(`<html lang="${language}">`);
      const isOfNode = kind === "node_down" || kind === "node_answers";
      expect([kind, email?.text.includes("Tea House")]).toEqual([kind, !isOfNode]);
      if (kind.startsWith("payout_")) expect(email?.text).toContain(address);
      if (kind.endsWith("_approval")) expect(email?.text).toContain("Dana Fox");
      if (kind === "batch_approval") expect(email?.text).toContain("/ui/batches/5\n");
      if (kind === "payouts_resumed")
        expect(email?.text).toMatch(/Dana Fox\n.*2026-03-01 12:30 UTC\n/u);
      if (kind === "webhook_failing") expect(email?.text).toContain("/ui/webhooks/deliveries\n");
    }
  });

  it("says how many and of which kind when it tells several", async () => {
    const member = await reader(language);
    await tell(member.accountId, aPayment("1"), aPayment("2"));
    const [many = "", more = "", kind = ""] = digests[language];
    expect(member.emails()[0]?.subject).toBe(many);
    await tell(
      member.accountId,
      events.change_approval,
      ...Array.from({ length: 22 }, (_, index) => ({
        ...events.payout_approval,
        id: String(index),
      })),
    );
    const digest = member.emails()[1];
    expect(digest?.text).toContain(more);
    // Of two kinds: each line says which.
    expect(digest?.text).toContain(`- ${kind}`);
  });

  it("warns of a change of payout protection, and says when it has been applied", async () => {
    const member = await reader(language);
    const stated = { ...change, kind: "payee_addition", chain: "ETH", address, label: "Alice" };
    const content = { id: "7", by: "Dana Fox", change: "allow payouts", stated };
    const timed = { ...content, applies_at: formatTimestamp(clock.now()) };
    await database.db.transaction(async (tx) => {
      await tellAdministrators(tx, member.accountId, "protection_change", timed, clock.now());
      await tellAdministrators(tx, member.accountId, "protection_changed", content, clock.now());
    });
    await mail.run();
    const emails = member.emails();
    expect(emails.map(({ subject }) => subject).toSorted()).toEqual(
      protectionSubjects[language].toSorted(),
    );
    for (const { text } of emails) {
      // People decide by the whole address.
      expect(text).toContain(address);
      expect(text).toContain("Dana Fox");
      expect(text).toContain("Tea House");
      expect(text).not.toContain("allow payouts");
    }
  });
});

const protectionSubjects: Readonly<Record<EmailLanguage, readonly string[]>> = {
  en: [
    "Change of payout protection requested by Dana Fox: Address 0x529084…E4169EE7 (Alice, ETH): not allowed → allowed",
    "Payout protection changed: Address 0x529084…E4169EE7 (Alice, ETH): not allowed → allowed",
  ],
  de: [
    "Änderung des Auszahlungsschutzes, beantragt von Dana Fox: Adresse 0x529084…E4169EE7 (Alice, ETH): nicht erlaubt → erlaubt",
    "Auszahlungsschutz geändert: Adresse 0x529084…E4169EE7 (Alice, ETH): nicht erlaubt → erlaubt",
  ],
  es: [
    "Cambio de la protección de desembolsos solicitado por Dana Fox: Dirección 0x529084…E4169EE7 (Alice, ETH): no permitida → permitida",
    "La protección de desembolsos ha cambiado: Dirección 0x529084…E4169EE7 (Alice, ETH): no permitida → permitida",
  ],
  zh: [
    "Dana Fox 申请更改出款保护：地址 0x529084…E4169EE7（Alice，ETH）：不允许 → 允许",
    "出款保护已更改：地址 0x529084…E4169EE7（Alice，ETH）：不允许 → 允许",
  ],
};

describe("the text of a notification", () => {
  it.each([
    ["en", 503, null, "shop.example (HTTP 503)"],
    ["zh", 503, null, "shop.example（HTTP 503）"],
    ["en", null, "timed_out", "shop.example (timed out)"],
    ["de", null, "name_not_resolved", "shop.example (DNS-Abfrage fehlgeschlagen)"],
    ["es", null, "tls_failed", "shop.example (error de TLS)"],
    ["zh", null, "connect_failed", "shop.example（连接失败）"],
    ["en", null, "of a later version", "shop.example"],
  ] as const)("says in %s why a webhook failed: %s %s", (language, statusCode, error, line) => {
    const answer = { statusCode, error: error as DeliveryError | null };
    const event = { ...events.webhook_failing, answer };
    expect(noticeLine(event, language, { hasAddress: true })).toBe(line);
  });

  it.each([
    ["10,000 characters", "9".repeat(10_000), `order ${"9".repeat(59)}…`],
    [
      "line breaks",
      "4711\r\nBcc: eve@evil.example\r\n\r\nHello",
      "order 4711 Bcc: eve@evil.example Hello",
    ],
    ["characters that turn the text around", "\u202e1174\u2066\u200f", "order 1174"],
    ["nothing but such characters", "\u202e\u0001\u2028 ", "deposit 17"],
  ])("takes an order number of %s without harm", async (_case, order, shown) => {
    const member = await reader();
    await tell(member.accountId, {
      ...events.payment_received,
      deposit: { id: "17", order, label: order },
    });
    const [email, ...more] = member.emails();
    expect(more).toEqual([]);
    expect(email?.subject).toBe(`Payment received: 1,250.00 USD for ${shown}`);
    expect(email?.to).toEqual([member.email]);
    expect(email?.headers["bcc"]).toBeUndefined();
    for (const text of [email?.text ?? "", email?.html ?? ""]) {
      expect(text).not.toMatch(/[\p{Cf}\u0001\u2028\u2029]/u);
      expect(text).not.toContain("9".repeat(61));
      expect(text).not.toMatch(/^Bcc:/m);
    }
  });

  it("keeps a subject within 150 characters, whatever everybody is called", async () => {
    const member = await reader("es");
    const long = "名".repeat(1_000);
    await tell(member.accountId, { ...events.payout_approval, recipient: long, label: long });
    const [email] = member.emails();
    expect(Array.from(email?.subject ?? "")).toHaveLength(150);
    expect(email?.subject).toMatch(/^Desembolso por aprobar: 0,5 ETH \(≈ 1\.250,00 USD\) a 名+…/);
  });

  it("is in English for a member whose dashboard has not said its language", async () => {
    const member = await reader();
    await tell(member.accountId, events.payment_received);
    expect(member.emails()[0]?.subject).toBe(subjects.en.payment_received);
  });

  it("tells two payments that read the same as two, and a repeated failure once", async () => {
    const member = await reader();
    const payment = events.payment_received;
    await tell(
      member.accountId,
      { ...payment, transferId: "1" },
      { ...payment, transferId: "2" },
      { ...events.webhook_failing, answer: { statusCode: 503, error: null } },
      { ...events.webhook_failing, answer: { statusCode: null, error: "timed_out" } },
    );
    expect(
      member
        .emails()
        .map(({ subject }) => subject)
        .toSorted(),
    ).toEqual(["2 payments received", "Webhook deliveries are failing: shop.example (timed out)"]);
  });

  it("tells what a worker of the former version wrote", async () => {
    const member = await reader("de");
    await database.sql(
      `insert into notice (account_id, member_id, topic, content, created_at)
       select $1, $2, topic, content, $3 from (values
         ('paid', '{"path": "deposits/1", "line": "Deposit 1: 10 USD"}'::jsonb),
         ('node_down', '{"path": "operations", "title": "A node answers again", "line": "BTC: it has answered"}')
       ) as former (topic, content)`,
      [member.accountId, member.memberId, formatTimestamp(clock.now())],
    );
    await mail.run();
    expect(
      member
        .emails()
        .map(({ subject }) => subject)
        .toSorted(),
    ).toEqual(["A node answers again: BTC: it has answered", "Deposit 1: 10 USD"]);
  });

  it("makes a digest of notices of both versions", async () => {
    const member = await reader();
    await tell(member.accountId, aPayment("1"));
    await database.sql(
      `insert into notice (account_id, member_id, topic, content, created_at)
       values ($1, $2, 'paid', '{"path": "deposits/2", "line": "Deposit 2: 10 USD"}', $3)`,
      [member.accountId, member.memberId, formatTimestamp(clock.now())],
    );
    await tell(member.accountId, aPayment("3"));
    clock.advance(quietSeconds);
    await mail.run();
    const digest = member.emails()[1];
    expect(digest?.subject).toBe("2 payments received");
    expect(digest?.text).toContain("- Deposit 2: 10 USD\n");
    expect(digest?.text).toContain("- Payment received: 10.00 USD for deposit 3\n");
  });
});
