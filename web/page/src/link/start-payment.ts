import { normalizeDecimal } from "../normalize-decimal.ts";

export type StartAnswer =
  | { readonly kind: "started"; readonly path: string }
  /** ended: the link takes no payments any more; amount: the payer's amount was refused. */
  | { readonly kind: "ended" | "amount" | "throttled" | "failed" };

const timeoutMs = 20_000;

/** Starts a payment of the link at the page's own address. Never rejects. */
export async function startPayment(amount: string | null): Promise<StartAnswer> {
  const base = `${location.origin}${location.pathname.replace(/\/*$/, "/")}`;
  try {
    const response = await fetch(new URL("pay/", base), {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(amount === null ? {} : { amount: normalizeDecimal(amount) }),
      cache: "no-store",
      credentials: "omit",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) {
      const { payment_page: path } = (await response.json()) as { readonly payment_page: string };
      return { kind: "started", path };
    }
    if (response.status === 409 || response.status === 404) return { kind: "ended" };
    if (response.status === 429) return { kind: "throttled" };
    return { kind: response.status === 400 && amount !== null ? "amount" : "failed" };
  } catch {
    return { kind: "failed" };
  }
}
