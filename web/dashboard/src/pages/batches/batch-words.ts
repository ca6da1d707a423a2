import type { PayoutBatch } from "../../../../../client/src/api-types.gen.ts";
import type { Tone } from "../../components/status-badge.tsx";
import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";

type Attributes = PayoutBatch["attributes"];

const words: Readonly<
  Record<Attributes["state"], { readonly label: PlainText; readonly tone: Tone }>
> = {
  incomplete: { label: "Incomplete", tone: "attention" },
  needs_approval: { label: "Needs approval", tone: "attention" },
  in_progress: { label: "In progress", tone: "waiting" },
  completed: { label: "Completed", tone: "good" },
};

/** A batch's status in words. */
export function batchState({ state }: Pick<Attributes, "state">) {
  const { label, tone } = words[state];
  return { label: t(label), tone };
}

/** "50 of 50". */
export function createdText({ created, rows }: Pick<Attributes, "created" | "rows">): string {
  return t("{created} of {rows}", { created, rows });
}
