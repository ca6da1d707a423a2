import type { FetchText } from "../../platform/kernel/fetch-text.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ScreeningProvider, ScreeningResult } from "./provider.ts";

export type HttpScreeningOptions = {
  readonly url: string;
  /** Sent as bearer token; null if there is none. */
  readonly token: string | null;
};

/**
 * A screening service behind HTTP. The question is POSTed to the configured URL as one JSON object with the members of
 * `ScreeningQuestion`; the answer is 200 with `{"risk": 0..100, "verdict": "green" | "red"}`, further members are ignored.
 * Vendors with other formats need a small adapter in front. Any other answer throws `Unavailable`.
 */
export function createHttpScreening(
  fetchText: FetchText,
  options: HttpScreeningOptions,
): ScreeningProvider {
  const name = new URL(options.url).host;
  const headers = options.token === null ? {} : { authorization: `Bearer ${options.token}` };
  return {
    name,
    screen: async (question, signal) => {
      const { direction, chain, currency, amount, address, from, txid } = question;
      const body = JSON.stringify({ direction, chain, currency, amount, address, from, txid });
      const post = { contentType: "application/json", body };
      const result = readResult(await fetchText({ url: options.url, post, headers }, signal));
      if (result === null) throw new Unavailable(name, "answered in an unexpected form");
      return result;
    },
  };
}

function readResult(text: string): ScreeningResult | null {
  const answer = parse(text);
  if (typeof answer !== "object" || answer === null) return null;
  const { risk, verdict } = answer as { readonly risk?: unknown; readonly verdict?: unknown };
  if (typeof risk !== "number" || !Number.isInteger(risk) || risk < 0 || risk > 100) return null;
  return verdict === "green" || verdict === "red" ? { risk, verdict } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
