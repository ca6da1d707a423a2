import type { CheckoutState } from "../../checkout/checkout-state.ts";
import type { Checkout, ReadCheckout } from "../../checkout/read-checkout.ts";
import { type ChoiceContext, chooseCurrency } from "../../deposits/choose-currency.ts";
import {
  leaveRefundAddress,
  type RefundAddressContext,
} from "../../deposits/leave-refund-address.ts";
import { type QuoteContext, renewQuote } from "../../deposits/renew-quote.ts";
import { reject } from "../../kernel/rejection.ts";
import { Unavailable } from "../../kernel/unavailable.ts";
import { notBuiltAnswer, pageAnswer } from "../page-answer.ts";
import { pageIdOf } from "../page-id.ts";
import { readPageBody } from "../read-page-body.ts";
import type { PlainAnswer, PlainRequest, PlainRoute } from "../route.ts";
import { requireSameOrigin } from "../same-origin.ts";
import type { WebProgram } from "../web-program.ts";
import { writePage } from "../write-page.ts";

export type PaymentPageContext = ChoiceContext &
  QuoteContext &
  RefundAddressContext & {
    readonly page: WebProgram;
    readonly readCheckout: ReadCheckout;
    readonly baseUrl: string;
  };

/** `/pay/{uuid}/`: the page, its state, and what its payer may do. Whoever has the id may; nothing else opens it. */
export function paymentPageRoutes(context: PaymentPageContext): readonly PlainRoute[] {
  return [
    {
      kind: "plain",
      method: "GET",
      path: "/pay/{id}/",
      isHidden: true,
      throttle: "page",
      summary: "Show a payment page",
      throttledPage: (seconds) => throttledPage(context.page, seconds),
      handle: (request) => showPage(context, request),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/pay/assets/{file}",
      isHidden: true,
      summary: "Answer a file of the payment page",
      handle: (request) =>
        context.page.answerFile(`assets/${request.params["file"] ?? ""}`, request) ??
        reject("notFound", "There is no such file."),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/pay/{id}/state/",
      isHidden: true,
      throttle: "page",
      summary: "Tell where a payment stands",
      handle: async (request) => stateAnswer(await stateOf(context, pageIdOf(request))),
    },
    action(context, "choose", "Choose what a payment is made in", async (pageId, request) => {
      const { currency, addressType } = readPageBody(request, {
        currency: { required: true, maxLength: 64 },
        addressType: { required: false, maxLength: 16 },
      });
      return chooseCurrency(context, pageId, { currencyId: currency, addressType });
    }),
    action(context, "quote", "Renew a rate that has run out", async (pageId, request) => {
      readPageBody(request, {});
      return renewQuote(context, pageId);
    }),
    action(
      context,
      "refund-address",
      "Leave an address to be paid back to",
      async (pageId, request) => {
        const { address, tag } = readPageBody(request, {
          address: { required: true, maxLength: 128 },
          tag: { required: false, maxLength: 64 },
        });
        return leaveRefundAddress(context, pageId, { address, tag });
      },
    ),
  ];
}

async function showPage(context: PaymentPageContext, request: PlainRequest): Promise<PlainAnswer> {
  const { html } = context.page;
  if (html === null) return notBuiltAnswer("The payment page");
  const failed = (failure: string, status: number): PlainAnswer =>
    pageAnswer(writePage(html, { failure }, null), {}, status);
  const pageId = pageIdOf(request);
  try {
    const checkout = pageId === null ? null : await context.readCheckout(pageId);
    if (checkout === null) return failed("not_found", 404);
    const { frameAncestors } = checkout.page;
    return pageAnswer(
      writePage(html, checkout.state, plainWords(checkout.state)),
      frameAncestors.length === 0 ? {} : { frameAncestors: frameAncestors.join(" ") },
    );
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    request.logger.warn("a payment page cannot be read", { error: error.message });
    return failed("unavailable", 503);
  }
}

/** The page says it in the payer's language, and loads itself again when that may be answered. */
function throttledPage({ html }: WebProgram, retryAfterSeconds: number): PlainAnswer {
  if (html === null) return notBuiltAnswer("The payment page");
  const plain = `Too many requests came from your network. Load this page again in ${retryAfterSeconds} seconds.`;
  const filled = writePage(html, { failure: "throttled", retryAfterSeconds }, plain);
  return pageAnswer(filled, {}, 429);
}

/** What a payer has to know whose browser runs no scripts; null where the page's own words are all there is to say. */
function plainWords({ payment, stage }: CheckoutState): string | null {
  if (payment === null || (stage !== "waiting" && stage !== "partial")) return null;
  const { address, chainName, code, missing, tag } = payment;
  const amount = missing === null ? code : `${missing} ${code}`;
  const withTag = tag === null ? "" : `, with the tag ${tag.value}, without which it is lost`;
  return `Send ${amount} on ${chainName} to ${address}${withTag}. Load this page again to see whether it has arrived.`;
}

function action(
  context: PaymentPageContext,
  name: string,
  summary: string,
  act: (pageId: string, request: PlainRequest) => Promise<boolean>,
): PlainRoute {
  return {
    kind: "plain",
    method: "POST",
    path: `/pay/{id}/${name}/`,
    isHidden: true,
    summary,
    throttle: "page_action",
    handle: async (request) => {
      requireSameOrigin(request, context.baseUrl);
      const pageId = pageIdOf(request);
      if (pageId === null || !(await act(pageId, request))) return noPage();
      return stateAnswer(await stateOf(context, pageId));
    },
  };
}

async function stateOf(context: PaymentPageContext, pageId: string | null): Promise<Checkout> {
  return (pageId === null ? null : await context.readCheckout(pageId)) ?? noPage();
}

function noPage(): never {
  return reject("notFound", "There is no such payment page.");
}

function stateAnswer({ state }: Checkout): PlainAnswer {
  return {
    status: 200,
    contentType: "application/json",
    body: JSON.stringify(state),
    headers: { "cache-control": "no-store" },
  };
}
