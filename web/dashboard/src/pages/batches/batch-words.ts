import type { PayoutBatch } from "../../../../../client/src/api-types.gen.ts";
import type { Tone } from "../../components/status-badge.tsx";

type Attributes = PayoutBatch["attributes"];

const words: Readonly<
  Record<Attributes["state"], { readonly label: string; readonly tone: Tone }>
> = {
  incomplete: { label: "Incomplete", tone: "attention" },
  needs_approval: { label: "Needs approval", tone: "attention" },
  in_progress: { label: "In progress", tone: "waiting" },
  completed: { label: "Completed", tone: "good" },
};

/** A batch's status in words. */
export function batchState({ state }: Pick<Attributes, "state">) {
  return words[state];
}

/** "50 of 50". */
export function createdText({ created, rows }: Pick<Attributes, "created" | "rows">): string {
  return `${created} of ${rows}`;
}
