import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";

const kinds: Readonly<Record<string, PlainText>> = {
  payout: "Payout",
  sweep: "Sweep",
  top_up: "Top-up",
  consolidation: "Consolidation",
  cold: "Transfer to cold wallet",
  gap: "Nonce gap",
  delegate: "Resource delegation",
  undelegate: "Resource reclaim",
  opt_in: "Asset opt-in",
};

const attemptStates: Readonly<Record<string, PlainText>> = {
  drafted: "Drafted",
  signing: "Signing",
  signed: "Signed",
  broadcast: "Sent to the network",
  refused: "Rejected",
  mined: "Included in a block",
};

const waits: readonly PlainText[] = [
  "a block",
  "a second check of the result",
  "broadcast",
  "signing",
  "the signer's response",
];

const patterns: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [
    /^confirmations: (\d+) of (\d+)$/,
    (count = "", needed = "") => t("confirmations: {count} of {needed}", { count, needed }),
  ],
  [
    /^acceptance by the node: (.+)$/s,
    (reason = "") => t("acceptance by the node: {reason}", { reason }),
  ],
  [
    /^manual action: the signer rejected it \((.+)\)$/s,
    (reason = "") => t("manual action: the signer rejected it ({reason})", { reason }),
  ],
];

/** What a transaction of the deployment is for; an unknown kind as the API names it. */
export function spendKind(kind: string): string {
  const known = kinds[kind];
  return known === undefined ? kind.replaceAll("_", " ") : t(known);
}

/** The state of a transaction's newest attempt; an unknown one as the API names it. */
export function attemptState(state: string): string {
  const known = attemptStates[state];
  return known === undefined ? state : t(known);
}

/** What a transaction waits for, in the language of the page if it is a phrase of this version. */
export function waitText(text: string): string {
  const plain = waits.find((phrase) => phrase === text);
  if (plain !== undefined) return t(plain);
  for (const [pattern, translate] of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return translate(...found.slice(1));
  }
  return text;
}
