export type LinkState = { readonly isCut: boolean; readonly delayMs: number };

const delayMaxMs = 600_000;

/** What a request asks of a link, `{"state": "cut" | "open", "delay_ms": 0}`; an absent member keeps its value. Null for anything else. */
export function parseLinkState(body: Buffer | null, present: LinkState): LinkState | null {
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { state, delay_ms: delayMs, ...others } = value as Record<string, unknown>;
  const isKnown = state === undefined || state === "cut" || state === "open";
  if (!isKnown || Object.keys(others).length > 0) return null;
  if (delayMs !== undefined && !isDelay(delayMs)) return null;
  return {
    isCut: state === undefined ? present.isCut : state === "cut",
    delayMs: delayMs ?? present.delayMs,
  };
}

function isDelay(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= delayMaxMs;
}

function parse(body: Buffer | null): unknown {
  try {
    return JSON.parse(body?.toString("utf8") ?? "") as unknown;
  } catch {
    return null;
  }
}
