import type { CheckoutState } from "../../../src/deposits/checkout/checkout-state.ts";

type Told = Pick<CheckoutState, "id" | "stage" | "order" | "embedders">;

/** What the page needs of its window; a test passes its own. */
export type Framed = {
  readonly parent: { readonly postMessage: (message: unknown, origin: string) => void };
  readonly addEventListener: (
    type: "message",
    listener: (event: {
      readonly origin: string;
      readonly source: unknown;
      readonly data: unknown;
    }) => void,
  ) => void;
};

/**
 * Reports the payment's stage to the page that embeds this one (web/embed/embed.js), after that page has sent a message, and only if the
 * store allows its origin. Returns a function that reports a newer state.
 */
export function tellEmbedder(
  window: Framed,
  initial: Told | null,
): { readonly tell: (state: Told) => void } {
  const { parent } = window;
  let told = initial;
  let origin: string | null = null;
  const tell = (): void => {
    if (origin === null || told === null || !told.embedders.includes(origin)) return;
    const { id, stage, order } = told;
    parent.postMessage({ source: "sluice", type: "state", id, stage, order }, origin);
  };
  window.addEventListener("message", (event) => {
    if (event.source !== parent || !isHello(event.data)) return;
    if (told?.embedders.includes(event.origin) !== true) return;
    ({ origin } = event);
    tell();
  });
  // Without content, so that anyone may see it: the embedding page may have said hello before this listener existed.
  parent.postMessage({ source: "sluice", type: "ready" }, "*");
  return {
    tell: (state) => {
      const isNews = state.stage !== told?.stage;
      told = state;
      if (isNews) tell();
    },
  };
}

function isHello(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  return (
    "source" in data && data.source === "sluice-embed" && "type" in data && data.type === "hello"
  );
}
