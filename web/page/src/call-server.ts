import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

/** Why an answer is no state. `code` is the server's own; `isOfField` when it names what was typed as the fault. */
export type Refusal = {
  readonly kind: "offline" | "unavailable" | "throttled" | "gone" | "refused";
  readonly code: string | null;
  readonly isOfField: boolean;
  readonly retryAfterMs: number | null;
};

export type Answer =
  | { readonly state: CheckoutState; readonly refusal: null }
  | { readonly state: null; readonly refusal: Refusal };

export type Server = {
  readonly loadState: () => Promise<Answer>;
  readonly choose: (currency: string) => Promise<Answer>;
  readonly quote: () => Promise<Answer>;
  readonly leaveRefundAddress: (address: string) => Promise<Answer>;
};

const patienceMs = 20_000;

/** The page's own addresses below `base` (`/pay/{uuid}/`). Never rejects: what goes wrong is told as a refusal. */
export function openServer(base: string): Server {
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
        signal: AbortSignal.timeout(patienceMs),
      });
      return response.ok
        ? { state: (await response.json()) as CheckoutState, refusal: null }
        : { state: null, refusal: await readRefusal(response) };
    } catch {
      const kind = navigator.onLine ? "unavailable" : "offline";
      return { state: null, refusal: { kind, code: null, isOfField: false, retryAfterMs: null } };
    }
  };
  return {
    loadState: () => call("state/", null),
    choose: (currency) => call("choose/", { currency }),
    quote: () => call("quote/", {}),
    leaveRefundAddress: (address) => call("refund-address/", { address }),
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

async function readError(response: Response): Promise<Pick<Refusal, "code" | "isOfField">> {
  try {
    const { errors } = (await response.json()) as ErrorDocument;
    const first = errors?.[0];
    return { code: first?.code ?? null, isOfField: first?.source?.pointer !== undefined };
  } catch {
    // A proxy's own page: the status has said enough.
    return { code: null, isOfField: false };
  }
}
