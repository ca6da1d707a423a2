import { splitDecimal } from "../../components/split-decimal.ts";
import { plural, t } from "../../language/t.ts";

const payment = /^Paid ([\d.]+) (\S+)\. It confirms after (\d+) blocks? of (\S+)\.$/;
const mined = /^Mined (?:a block|(\d+) blocks)\.$/;
const replaced =
  /^Replaced the newest (?:block|(\d+) blocks)\. (Their transactions are pending again|The new blocks include their transactions)\.$/;

/** What the simulator did, in the language of the page. A text of another form is shown as the service sends it. */
export function actionText(text: string): string {
  const [, amount = "", code = "", blocks = "", chain = ""] = payment.exec(text) ?? [];
  if (amount !== "") return `${paidText(amount, code)} ${confirmationText(Number(blocks), chain)}`;
  const block = mined.exec(text);
  if (block !== null)
    return plural(Number(block[1] ?? 1), "Mined a block.", "Mined {count} blocks.");
  const reorg = replaced.exec(text);
  if (reorg === null) return text;
  const outcome = reorg[2]?.startsWith("Their") === true;
  return [
    plural(
      Number(reorg[1] ?? 1),
      "Replaced the newest block.",
      "Replaced the newest {count} blocks.",
    ),
    outcome
      ? t("Their transactions are pending again.")
      : t("The new blocks include their transactions."),
  ].join(" ");
}

function paidText(value: string, currency: string): string {
  const { whole, fraction } = splitDecimal(value, { fractionMin: 0 });
  return t("Paid {amount}.", { amount: `${whole}${fraction} ${currency}` });
}

function confirmationText(blocks: number, chain: string): string {
  return plural(
    blocks,
    "It confirms after 1 block of {chain}.",
    "It confirms after {count} blocks of {chain}.",
    { chain },
  );
}
