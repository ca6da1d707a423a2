import { boundedText, nameMax } from "./bounded-text.ts";
import { changeText, type ShownAddress } from "./change-text.ts";
import type { EmailLanguage } from "./email-language.ts";
import type { Letter } from "./letter.ts";
import type { StatedChange } from "./notice-event.ts";
import { utcTime } from "./utc-time.ts";

/** What an email about a change of limits states. */
export type ProtectionContent = {
  readonly id: string;
  /** Name of the member who asked. */
  readonly by: string;
  /** In English, for emails and workers of the former version: `set the USDT-ETH limit per day to 50000, from 10000` */
  readonly change: string;
  /** What texts are made from; absent in emails of the former version. */
  readonly stated?: StatedChange;
  /** Absent in emails of the former version. */
  readonly shop?: string;
  /** ISO 8601, in UTC. */
  readonly applies_at: string;
};

type Words = {
  readonly asked: (by: string, change: string) => string;
  readonly askedFor: (by: string, id: string, shop: string | null) => string;
  readonly applies: (time: string) => string;
  readonly unknown: string;
  readonly review: string;
  readonly changed: (change: string) => string;
  readonly applied: (by: string, id: string, shop: string | null) => string;
  readonly open: string;
  readonly why: string;
};

const protectionOf = (shop: string | null): string =>
  shop === null ? "payout protection" : `the payout protection of ${shop}`;

const words: Readonly<Record<EmailLanguage, Words>> = {
  en: {
    asked: (by, change) => `Change of payout protection requested by ${by}: ${change}`,
    askedFor: (by, id, shop) =>
      `${by} requested this change to ${protectionOf(shop)} (change ${id}):`,
    applies: (time) =>
      `Nobody else in the account can approve it, so it takes effect at ${time} unless you stop it.`,
    unknown:
      "If you don't recognize this change, withdraw or reject it now, change your password, and end your other sessions.",
    review: "Review the change",
    changed: (change) => `Payout protection changed: ${change}`,
    applied: (by, id, shop) =>
      `${by} requested this change to ${protectionOf(shop)} (change ${id}). It has now taken effect:`,
    open: "Open payout protection",
    why: "Owners and Admins always get this email.",
  },
  de: {
    asked: (by, change) => `Änderung des Auszahlungsschutzes, beantragt von ${by}: ${change}`,
    askedFor: (by, id, shop) =>
      `${by} hat diese Änderung des Auszahlungsschutzes${shop === null ? "" : ` von ${shop}`} beantragt (Änderung ${id}):`,
    applies: (time) =>
      `Niemand sonst im Konto kann sie genehmigen. Deshalb tritt sie am ${time} in Kraft, wenn Sie sie nicht stoppen.`,
    unknown:
      "Wenn Sie diese Änderung nicht kennen, ziehen Sie sie jetzt zurück oder lehnen Sie sie ab, ändern Sie Ihr Passwort und beenden Sie Ihre anderen Sitzungen.",
    review: "Änderung prüfen",
    changed: (change) => `Auszahlungsschutz geändert: ${change}`,
    applied: (by, id, shop) =>
      `${by} hat diese Änderung des Auszahlungsschutzes${shop === null ? "" : ` von ${shop}`} beantragt (Änderung ${id}). Sie ist jetzt in Kraft:`,
    open: "Auszahlungsschutz öffnen",
    why: "Inhaber und Administratoren erhalten diese E-Mail immer.",
  },
  es: {
    asked: (by, change) => `Cambio de la protección de desembolsos solicitado por ${by}: ${change}`,
    askedFor: (by, id, shop) =>
      `${by} ha solicitado este cambio de la protección de desembolsos${shop === null ? "" : ` de ${shop}`} (cambio ${id}):`,
    applies: (time) =>
      `Nadie más en la cuenta puede aprobarlo, así que se aplicará el ${time} si usted no lo impide.`,
    unknown:
      "Si no conoce este cambio, retírelo o rechácelo ahora, cambie su contraseña y cierre sus otras sesiones.",
    review: "Revisar el cambio",
    changed: (change) => `La protección de desembolsos ha cambiado: ${change}`,
    applied: (by, id, shop) =>
      `${by} solicitó este cambio de la protección de desembolsos${shop === null ? "" : ` de ${shop}`} (cambio ${id}). Ya se aplica:`,
    open: "Abrir la protección de desembolsos",
    why: "Los propietarios y administradores siempre reciben este correo.",
  },
  zh: {
    asked: (by, change) => `${by} 申请更改出款保护：${change}`,
    askedFor: (by, id, shop) =>
      `${by} 申请对${shop === null ? "" : ` ${shop} 的`}出款保护进行以下更改（更改 ${id}）：`,
    applies: (time) => `账户中没有其他人可以批准，因此除非您阻止，它将于 ${time} 生效。`,
    unknown: "如果您不知晓此更改，请立即撤回或拒绝此更改，修改您的密码，并结束您的其他会话。",
    review: "查看更改",
    changed: (change) => `出款保护已更改：${change}`,
    applied: (by, id, shop) =>
      `${by} 申请对${shop === null ? "" : ` ${shop} 的`}出款保护进行以下更改（更改 ${id}），现已生效：`,
    open: "打开出款保护",
    why: "所有者和管理员始终会收到此邮件。",
  },
};

/** Warns Owners and Admins of a change that applies by itself, so that a stolen session cannot make it unnoticed. */
export function protectionLetter(
  content: ProtectionContent,
  link: string,
  language: EmailLanguage,
): Letter {
  const text = words[language];
  const { id, by, shop } = statedNames(content);
  return {
    subject: text.asked(by, changeOf(content, language, "ends")),
    language,
    paragraphs: [
      text.askedFor(by, id, shop),
      changeOf(content, language, "whole"),
      text.applies(utcTime(content.applies_at)),
      text.unknown,
    ],
    action: { label: text.review, href: link },
    footer: [text.why],
  };
}

/** Tells Owners and Admins that such a change has applied. */
export function protectionAppliedLetter(
  content: Omit<ProtectionContent, "applies_at">,
  link: string,
  language: EmailLanguage,
): Letter {
  const text = words[language];
  const { id, by, shop } = statedNames(content);
  return {
    subject: text.changed(changeOf(content, language, "ends")),
    language,
    paragraphs: [text.applied(by, id, shop), changeOf(content, language, "whole")],
    action: { label: text.open, href: link },
    footer: [text.why],
  };
}

type Stated = Omit<ProtectionContent, "applies_at">;

function statedNames({ id, by, shop = "" }: Stated) {
  const name = boundedText(shop, nameMax);
  return { id, by: boundedText(by, nameMax), shop: name === "" ? null : name };
}

function changeOf(
  { change, stated }: Stated,
  language: EmailLanguage,
  shown: ShownAddress,
): string {
  return stated === undefined ? change : changeText(stated, language, shown);
}
