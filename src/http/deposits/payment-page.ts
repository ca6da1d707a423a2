import { shortAmount } from "../../currencies/amount-text.ts";
import type { CheckoutState } from "../../deposits/checkout/checkout-state.ts";
import { type ChoiceContext, chooseCurrency } from "../../deposits/checkout/choose-currency.ts";
import {
  leaveRefundAddress,
  type RefundAddressContext,
} from "../../deposits/checkout/leave-refund-address.ts";
import type { Checkout, ReadCheckout } from "../../deposits/checkout/read-checkout.ts";
import { type QuoteContext, renewQuote } from "../../deposits/checkout/renew-quote.ts";
import { type ReceiptContext, requestReceipt } from "../../deposits/checkout/request-receipt.ts";
import { emailAddressMax } from "../../platform/kernel/email-address.ts";
import { type RejectionName, reject } from "../../platform/kernel/rejection.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { JsonSchema } from "../../platform/resources/json-schema.ts";
import { notBuiltAnswer, pageAnswer } from "../jsonapi/page-answer.ts";
import { pageIdOf } from "../jsonapi/page-id.ts";
import { type PageBody, type PageField, readPageBody } from "../jsonapi/read-page-body.ts";
import type { PlainAnswer, PlainRequest, PlainRoute } from "../server/plain-route.ts";
import { requireSameOrigin } from "../server/same-origin.ts";
import type { WebProgram } from "../server/web-program.ts";
import { writePage } from "../server/write-page.ts";
import { checkoutStateSchema } from "./checkout-state-schema.ts";
import { plainWordsOf } from "./plain-words.ts";

export type PaymentPageContext = ChoiceContext &
  QuoteContext &
  RefundAddressContext &
  ReceiptContext & {
    readonly page: WebProgram;
    readonly readCheckout: ReadCheckout;
    readonly baseUrl: string;
  };

/** `/pay/{uuid}/`: the page, its state, and the payer's actions. The id is the only credential. */
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
      summary: "Serve a static file of the payment page",
      handle: (request) =>
        context.page.answerFile(`assets/${request.params["file"] ?? ""}`, request) ??
        reject("notFound", "This file does not exist."),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/pay/{id}/state/",
      throttle: "page",
      summary: "Get the state of a payment page",
      described: describePage("Returns the current state of the payment page.", []),
      handle: async (request) => stateAnswer(await stateOf(context, pageIdOf(request))),
    },
    action(context, {
      name: "choose",
      summary: "Choose the currency of a payment",
      rows: choiceRows,
      fields: {
        currency: { required: true, maxLength: 64 },
        addressType: { required: false, maxLength: 16 },
      },
      act: (pageId, { currency, addressType }) =>
        chooseCurrency(context, pageId, { currencyId: currency, addressType }),
    }),
    action(context, {
      name: "quote",
      summary: "Renew an expired rate",
      rows: ["depositEnded", "rateInForce", "rateUnavailable"],
      fields: {},
      act: (pageId) => renewQuote(context, pageId),
    }),
    action(context, {
      name: "refund-address",
      summary: "Save a refund address",
      rows: ["refundNotAsked", "addressRefused"],
      fields: {
        address: { required: true, maxLength: 128 },
        tag: { required: false, maxLength: 64 },
      },
      act: (pageId, { address, tag }) => leaveRefundAddress(context, pageId, { address, tag }),
    }),
    action(context, {
      name: "receipt",
      summary: "Send a receipt by email",
      rows: ["depositEnded"],
      fields: {
        email: { required: true, maxLength: emailAddressMax },
        language: { required: false, maxLength: 2 },
      },
      act: (pageId, { email, language }) => requestReceipt(context, pageId, { email, language }),
    }),
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
      writePage(html, checkout.state, plainInstructions(checkout.state, request)),
      frameAncestors.length === 0 ? {} : { frameAncestors: frameAncestors.join(" ") },
    );
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    request.logger.warn("cannot read a payment page", { error: error.message });
    return failed("unavailable", 503);
  }
}

/** The page explains the limit in the payer's language and reloads itself after `retryAfterSeconds`. */
function throttledPage({ html }: WebProgram, retryAfterSeconds: number): PlainAnswer {
  if (html === null) return notBuiltAnswer("The payment page");
  const plain = `Too many requests from your network. Reload this page in ${retryAfterSeconds} seconds.`;
  const filled = writePage(html, { failure: "throttled", retryAfterSeconds }, plain);
  return pageAnswer(filled, {}, 429);
}

/** Payment instructions for browsers without JavaScript; null if the static text is enough. */
function plainInstructions(
  { payment, stage }: CheckoutState,
  { header }: PlainRequest,
): string | null {
  if (payment === null || (stage !== "waiting" && stage !== "partial")) return null;
  const { address, chainName, code, missing, tag } = payment;
  const amount = missing === null ? code : `${shortAmount(missing)} ${code}`;
  const { pay } = plainWordsOf(header("accept-language"));
  return pay(amount, chainName, address, tag?.value ?? null);
}

/** Errors of "Create deposit" that also apply to a choice, and the choice's own. */
const choiceRows = [
  ...(["depositEnded", "currencyChosen", "walletInactive", "walletNotActivated"] as const),
  ...(["amountBelowMinimum", "addressUnavailable", "rateUnavailable"] as const),
  ...(["currencyDisabled", "currencyUnavailable", "tokenNotPaidFor"] as const),
] satisfies readonly RejectionName[];

/** A payer's action: a POST with a JSON body of these fields, answered with the page's state. */
function action<const Fields extends Readonly<Record<string, PageField>>>(
  context: PaymentPageContext,
  {
    name,
    summary,
    rows,
    fields,
    act,
  }: {
    readonly name: string;
    readonly summary: string;
    readonly rows: readonly RejectionName[];
    readonly fields: Fields;
    readonly act: (pageId: string, body: PageBody<Fields>) => Promise<boolean>;
  },
): PlainRoute {
  return {
    kind: "plain",
    method: "POST",
    path: `/pay/{id}/${name}/`,
    summary,
    throttle: "page_action",
    described: {
      ...describePage("Returns the resulting state of the payment page.", [
        ...(["permissionDenied", "unsupportedMediaType", "bodyTooLarge", "parseError"] as const),
        ...(["invalidValue", "nodeUnavailable"] as const),
        ...rows,
      ]),
      body: bodySchema(fields),
    },
    handle: async (request) => {
      requireSameOrigin(request, context.baseUrl);
      const pageId = pageIdOf(request);
      if (pageId === null) return noPage();
      const isThere = await act(pageId, readPageBody(request, fields));
      return isThere ? stateAnswer(await stateOf(context, pageId)) : noPage();
    },
  };
}

function describePage(description: string, rows: readonly RejectionName[]) {
  return {
    description: `${description} The id is the UUID in the deposit's \`payment_page\` URL. No token is needed.`,
    tag: "payment-page",
    contentType: "application/json",
    answer: checkoutStateSchema,
    rows: ["notFound", "throttled", "serviceUnavailable", ...rows] as const,
  };
}

function bodySchema(fields: Readonly<Record<string, PageField>>): JsonSchema {
  const required = Object.keys(fields).filter((name) => fields[name]?.required === true);
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, { maxLength }]) => [name, { type: "string", maxLength }]),
    ),
    additionalProperties: false,
  };
}

async function stateOf(context: PaymentPageContext, pageId: string | null): Promise<Checkout> {
  return (pageId === null ? null : await context.readCheckout(pageId)) ?? noPage();
}

function noPage(): never {
  return reject("notFound", "This payment page does not exist.");
}

function stateAnswer({ state }: Checkout): PlainAnswer {
  return {
    status: 200,
    contentType: "application/json",
    body: JSON.stringify(state),
    headers: { "cache-control": "no-store" },
  };
}
