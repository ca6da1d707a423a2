import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

/** Why a request returned no state. `code` is the application error code; `field` is the member that it is about; null for none. */
export type Refusal = {
  readonly kind: "offline" | "unavailable" | "throttled" | "gone" | "refused";
  readonly code: string | null;
  readonly field: string | null;
  readonly retryAfterMs: number | null;
};

export type Answer =
  | { readonly state: CheckoutState; readonly refusal: null }
  | { readonly state: null; readonly refusal: Refusal };

export type Server = {
  readonly loadState: () => Promise<Answer>;
  readonly choose: (currency: string) => Promise<Answer>;
  readonly quote: () => Promise<Answer>;
  readonly saveRefundAddress: (address: string, tag: string | null) => Promise<Answer>;
};

const timeoutMs = 20_000;

/** Calls the page's endpoints below `base` (`/pay/{uuid}/`). Never rejects: failures are returned as refusals. */
export function createServerClient(base: string): Server {
  const call = async (path: string, body: object | null): Promise<Answer> => {
    try {
      const response = await fetch(new URL(path, base), {
        method: body === null ? "GET" : "POST",
        headers:
          body === null
            ? { accept: "application/json" }
            : { accept: "application/json", "content-type": "application/json" },
        body: body === null ? null : JSON.stringify(body),
        cache: "no-store",
        credentials: "omit",
        signal: AbortSignal.timeout(timeoutMs),
      });
      return response.ok
        ? { state: (await response.json()) as CheckoutState, refusal: null }
        : { state: null, refusal: await readRefusal(response) };
    } catch {
      const kind = navigator.onLine ? "unavailable" : "offline";
      return {
        state: null,
        refusal: { kind, code: null, field: null, retryAfterMs: null },
      };
    }
  };
  return {
    loadState: () => call("state/", null),
    choose: (currency) => call("choose/", { currency }),
    quote: () => call("quote/", {}),
    saveRefundAddress: (address, tag) =>
      call("refund-address/", { address, ...(tag === null ? {} : { tag }) }),
  };
}

async function readRefusal(response: Response): Promise<Refusal> {
  const seconds = Number(response.headers.get("retry-after") ?? "");
  return {
    kind: kindOf(response.status),
    ...(await readError(response)),
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null,
  };
}

function kindOf(status: number): Refusal["kind"] {
  if (status === 404 || status === 410) return "gone";
  if (status === 429) return "throttled";
  return status >= 500 ? "unavailable" : "refused";
}

type ErrorDocument = {
  readonly errors?: readonly {
    readonly code?: string;
    readonly source?: { readonly pointer?: string };
  }[];
};

async function readError(response: Response): Promise<Pick<Refusal, "code" | "field">> {
  try {
    const { errors } = (await response.json()) as ErrorDocument;
    const first = errors?.[0];
    return { code: first?.code ?? null, field: first?.source?.pointer?.slice(1) ?? null };
  } catch {
    // A proxy answered with a page of its own; the status is enough.
    return { code: null, field: null };
  }
}
