import { present } from "../platform/kernel/assert.ts";
import type { RenderedPush } from "../platform/push/send-pushes.ts";
import type { NoticeContent, NoticeSubject } from "./notice.ts";
import type { Topic } from "./topic.ts";

const languages = ["en", "de", "es", "zh"] as const;
export type PushLanguage = (typeof languages)[number];

type Words = {
  readonly titles: Readonly<Record<Topic | NonNullable<NoticeSubject["title"]>, string>>;
  readonly many: Readonly<Record<Topic, (count: number) => string>>;
  readonly objects: Readonly<Record<NonNullable<NoticeSubject["object"]>, string>>;
  readonly more: (count: number) => string;
  /** Of a notice that has no subject. */
  readonly open: string;
};

const words: Readonly<Record<PushLanguage, Words>> = {
  en: {
    titles: {
      paid: "Payment received",
      on_hold: "Action required: funds on hold",
      approval_waiting: "A payout needs approval",
      webhook_failing: "Webhook deliveries fail",
      payouts_stopped: "Payouts are stopped",
      node_down: "A node doesn't answer",
      change_waiting: "A change of payout protection needs approval",
      node_answers: "A node answers again",
    },
    many: {
      paid: (count) => `${count} payments received`,
      on_hold: (count) => `Action required: ${count} payments or payouts on hold`,
      approval_waiting: (count) => `${count} payouts or changes need approval`,
      webhook_failing: (count) => `Webhook deliveries to ${count} receivers fail`,
      payouts_stopped: () => "Payouts are stopped",
      node_down: (count) => `${count} messages about nodes`,
    },
    objects: { deposit: "Deposit", payout: "Payout", change: "Change" },
    more: (count) => `and ${count} more`,
    open: "Open the dashboard for details.",
  },
  de: {
    titles: {
      paid: "Zahlung eingegangen",
      on_hold: "Handlung erforderlich: Mittel zurückgehalten",
      approval_waiting: "Eine Auszahlung braucht eine Genehmigung",
      webhook_failing: "Webhook-Zustellungen schlagen fehl",
      payouts_stopped: "Auszahlungen sind gestoppt",
      node_down: "Eine Node antwortet nicht",
      change_waiting: "Eine Änderung des Auszahlungsschutzes braucht eine Genehmigung",
      node_answers: "Eine Node antwortet wieder",
    },
    many: {
      paid: (count) => `${count} Zahlungen eingegangen`,
      on_hold: (count) =>
        `Handlung erforderlich: ${count} Zahlungen oder Auszahlungen zurückgehalten`,
      approval_waiting: (count) =>
        `${count} Auszahlungen oder Änderungen brauchen eine Genehmigung`,
      webhook_failing: (count) => `Webhook-Zustellungen an ${count} Empfänger schlagen fehl`,
      payouts_stopped: () => "Auszahlungen sind gestoppt",
      node_down: (count) => `${count} Meldungen über Nodes`,
    },
    objects: { deposit: "Einzahlung", payout: "Auszahlung", change: "Änderung" },
    more: (count) => `und ${count} weitere`,
    open: "Einzelheiten zeigt das Dashboard.",
  },
  es: {
    titles: {
      paid: "Pago recibido",
      on_hold: "Acción necesaria: fondos retenidos",
      approval_waiting: "Un desembolso requiere aprobación",
      webhook_failing: "Fallan las entregas de webhooks",
      payouts_stopped: "Los desembolsos están detenidos",
      node_down: "Un nodo no responde",
      change_waiting: "Un cambio de la protección de desembolsos requiere aprobación",
      node_answers: "Un nodo vuelve a responder",
    },
    many: {
      paid: (count) => `${count} pagos recibidos`,
      on_hold: (count) => `Acción necesaria: ${count} pagos o desembolsos retenidos`,
      approval_waiting: (count) => `${count} desembolsos o cambios requieren aprobación`,
      webhook_failing: (count) => `Fallan las entregas de webhooks a ${count} receptores`,
      payouts_stopped: () => "Los desembolsos están detenidos",
      node_down: (count) => `${count} mensajes sobre nodos`,
    },
    objects: { deposit: "Depósito", payout: "Desembolso", change: "Cambio" },
    more: (count) => `y ${count} más`,
    open: "Abra el panel para ver los detalles.",
  },
  zh: {
    titles: {
      paid: "已收到付款",
      on_hold: "需要处理：资金被暂扣",
      approval_waiting: "有出款需要批准",
      webhook_failing: "Webhook 投递失败",
      payouts_stopped: "出款已停止",
      node_down: "节点无响应",
      change_waiting: "出款保护的更改需要批准",
      node_answers: "节点已恢复响应",
    },
    many: {
      paid: (count) => `已收到 ${count} 笔付款`,
      on_hold: (count) => `需要处理：${count} 笔付款或出款被暂扣`,
      approval_waiting: (count) => `${count} 笔出款或更改需要批准`,
      webhook_failing: (count) => `向 ${count} 个接收方的 Webhook 投递失败`,
      payouts_stopped: () => "出款已停止",
      node_down: (count) => `${count} 条节点消息`,
    },
    objects: { deposit: "收款单", payout: "出款", change: "更改" },
    more: (count) => `另有 ${count} 条`,
    open: "请打开控制台查看详情。",
  },
};

/** The pages that a message about several objects opens. */
const pages: Readonly<Record<Topic, string>> = {
  paid: "deposits",
  on_hold: "",
  approval_waiting: "payouts/approvals",
  webhook_failing: "callbacks",
  payouts_stopped: "payouts",
  node_down: "operations",
};

const titleMax = 100;
const lineMax = 160;

/** What a browser shows of a member's notices of one topic. `count` may exceed the listed notices. */
export function pushText(
  topic: Topic,
  { count, notices }: { readonly count: number; readonly notices: readonly NoticeContent[] },
  language: string,
): RenderedPush {
  const spoken = words[languages.find((known) => known === language) ?? "en"];
  const first = present(notices[0], "the first notice of a message");
  const title =
    count === 1 ? spoken.titles[first.about?.title ?? topic] : spoken.many[topic](count);
  const lines = notices.flatMap(({ about }) => (about === undefined ? [] : [line(about, spoken)]));
  const rest = count - notices.length;
  const body =
    lines.length === 0
      ? spoken.open
      : [...lines, ...(rest > 0 ? [spoken.more(rest)] : [])].join("\n");
  return {
    title: cut(title, titleMax),
    body,
    path: count === 1 ? first.path : pages[topic],
    urgency: topic === "paid" ? "normal" : "high",
  };
}

function line({ object, id, label, detail }: NoticeSubject, { objects }: Words): string {
  const named = object === null ? "" : `${objects[object]} ${id ?? ""}`.trim();
  const labeled = label === null || label === "" ? named : `${named} (${label})`;
  return cut([labeled, detail ?? ""].filter((part) => part !== "").join(": "), lineMax);
}

/** On one line and of at most so many characters: a shop's label must not change how the rest is shown. */
function cut(text: string, max: number): string {
  const characters = Array.from(text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim());
  return characters.length <= max
    ? characters.join("")
    : `${characters.slice(0, max - 1).join("")}…`;
}
