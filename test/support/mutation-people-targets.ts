import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { newBeneficiary, newPaymentLink, password } from "./mutation-people.ts";
import { type MutationSite, patch, type Target } from "./mutation-targets.ts";
import { payee, receiver } from "./payout-world.ts";
import { newEndpoint } from "./two-tenants.ts";

/* Routes about members, credentials and settings; those that act on their own caller come last. */

const asBoss: Target["as"] = ({ manager }) => manager.token;
const nothing = () => [{}];

const related = (attributes: JsonObject): JsonObject => ({
  data: {
    type: "protection-change",
    attributes,
    relationships: { currency: { data: { type: "currency", id: "1002" } } },
  },
});

const ofAccount: readonly Target[] = [
  {
    method: "POST",
    path: "/beneficiary/",
    weight: 4,
    as: asBoss,
    documents: () => [
      newBeneficiary("Jo Doe", payee, { travel_rule_info: receiver, tag: "", tag_type: null }),
    ],
  },
  {
    method: "PATCH",
    path: "/beneficiary/{id}/",
    weight: 2,
    as: asBoss,
    objects: ({ people }) => people.beneficiaries,
    documents: () => [
      patch("beneficiary", { name: "Jo Roe" }),
      patch("beneficiary", { travel_rule_info: receiver }),
    ],
  },
  {
    method: "DELETE",
    path: "/beneficiary/{id}/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.beneficiaries.slice(10),
    documents: nothing,
  },
  {
    method: "POST",
    path: "/callback/resend/",
    weight: 3,
    as: asBoss,
    documents: ({ people: { callbacks } }) => [
      patch("callback-resend", { ids: callbacks.slice(0, 3) }),
      patch("callback-resend", {
        status: "exhausted",
        filter: { object_type: "deposit", created_at_from: "2026-01-01" },
      }),
    ],
  },
  {
    method: "POST",
    path: "/callback/test/",
    weight: 2,
    as: asBoss,
    documents: ({ people: { office } }) => [
      {
        data: {
          type: "callback-test",
          attributes: { url: "https://shop.example/callback" },
          relationships: { wallet: { data: { type: "wallet", id: office.wallets.ether } } },
        },
      },
    ],
  },
  {
    method: "POST",
    path: "/payment-link/",
    weight: 2,
    as: asBoss,
    documents: ({ people: { office } }) => [newPaymentLink(office.wallets.merchant)],
  },
  {
    method: "PATCH",
    path: "/payment-link/{id}/",
    weight: 2,
    as: asBoss,
    objects: ({ people }) => people.paymentLinks,
    documents: () => [
      patch("payment-link", { name: "Red teapot", stock: 5, is_active: false }),
      patch("payment-link", { amount_type: "chosen", amount: null, amount_min: "5" }),
    ],
  },
  {
    method: "PATCH",
    path: "/store-settings/",
    weight: 2,
    as: asBoss,
    documents: () => [
      patch("store-settings", {
        shop_name: "The Shop",
        help_email: "help@shop.example",
        frame_ancestors: ["https://shop.example"],
        accent_color: "#7a0b4b",
        receipt_note: "The Shop, 1 Main Street",
        underpayment_percent: "0.5",
        overpayment_amount: "1.00",
        tolerance_currency: "840",
        time_limit: 3600,
        callback_url: "https://shop.example/callback",
      }),
    ],
  },
  {
    method: "POST",
    path: "/webhook-secret/show/",
    weight: 1,
    as: asBoss,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/webhook-secret/rotate/",
    weight: 1,
    as: asBoss,
    documents: () => [patch("webhook-secret", { grace_hours: 5 })],
  },
  {
    method: "POST",
    path: "/webhook-endpoint/",
    weight: 1,
    as: asBoss,
    documents: () => [newEndpoint("shop")],
  },
  {
    method: "PATCH",
    path: "/webhook-endpoint/{id}/",
    weight: 2,
    as: asBoss,
    objects: ({ people }) => people.endpoints.slice(0, 8),
    documents: () => [
      patch("webhook-endpoint", { description: "ERP" }),
      patch("webhook-endpoint", { events: ["payout.reversed"] }),
    ],
  },
  {
    method: "DELETE",
    path: "/webhook-endpoint/{id}/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.endpoints.slice(8),
    documents: nothing,
  },
  {
    method: "POST",
    path: "/webhook-endpoint/{id}/rotate-secret/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.endpoints.slice(0, 8),
    documents: () => [patch("webhook-endpoint", { grace_hours: 5 })],
  },
  {
    method: "POST",
    path: "/webhook-endpoint/{id}/test/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.endpoints.slice(0, 8),
    documents: nothing,
  },
  {
    method: "POST",
    path: "/kill-switch/",
    weight: 2,
    as: asBoss,
    documents: ({ people: { office } }) => [
      {
        data: {
          type: "kill-switch",
          attributes: { scope: "wallet", reason: "A customer called." },
          relationships: { wallet: { data: { type: "wallet", id: office.wallets.nft } } },
        },
      },
    ],
  },
  {
    method: "POST",
    path: "/kill-switch/{switch}/release/",
    weight: 1,
    as: asBoss,
    objects: ({ people: { office } }) => [`wallet-${office.wallets.nft}`],
    documents: nothing,
  },
  {
    method: "POST",
    path: "/travel-rule-threshold/",
    weight: 2,
    documents: () => [
      {
        data: {
          type: "travel-rule-threshold",
          attributes: { amount: "0" },
          relationships: { currency: { data: { type: "currency", id: "1000" } } },
        },
      },
    ],
  },
  {
    method: "DELETE",
    path: "/travel-rule-threshold/{id}/",
    weight: 1,
    objects: () => ["1000"],
    documents: nothing,
  },
];

const members = ({ people }: MutationSite) => people.members;
const credentials = ({ people }: MutationSite) => people.credentials;

const ofTeam: readonly Target[] = [
  {
    method: "POST",
    path: "/member/",
    weight: 2,
    as: asBoss,
    documents: ({ people: { office } }) => [
      patch("member", {
        name: "Clerk",
        role: "withdrawals",
        all_wallets: false,
        wallet_grants: [{ wallet: office.wallets.ether, may_pay: true }],
      }),
      patch("member", { name: "Clerk", role: "read_only", login: "clerk@shop.example" }),
    ],
  },
  {
    method: "PATCH",
    path: "/member/{id}/",
    weight: 2,
    as: asBoss,
    objects: members,
    documents: ({ people: { office } }) => [
      patch("member", { name: "Clerk", role: "admin", all_wallets: true }),
      patch("member", {
        wallet_grants: [{ wallet: office.wallets.merchant, may_pay: false }],
      }),
    ],
  },
  {
    method: "POST",
    path: "/member/{id}/confirm/",
    weight: 1,
    as: asBoss,
    objects: members,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/member/{id}/reset-access/",
    weight: 1,
    as: asBoss,
    objects: members,
    documents: () => [patch("member", { login: "night-clerk@shop.example" })],
  },
  {
    method: "POST",
    path: "/member/{id}/deactivate/",
    weight: 1,
    as: asBoss,
    objects: members,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/member/{id}/activate/",
    weight: 1,
    as: asBoss,
    objects: members,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/credential/",
    weight: 2,
    as: asBoss,
    documents: ({ people: { manager } }) => [
      {
        data: {
          type: "credential",
          attributes: { label: "Shop", allowed_networks: ["10.0.0.0/8", "2001:db8::1"] },
          relationships: { member: { data: { type: "member", id: manager.ids.member } } },
        },
      },
    ],
  },
  {
    method: "PATCH",
    path: "/credential/{id}/",
    weight: 2,
    as: asBoss,
    objects: credentials,
    documents: () => [
      patch("credential", { label: "Till", allowed_networks: ["127.0.0.1"], confirm: true }),
    ],
  },
  {
    method: "POST",
    path: "/credential/{id}/designate/",
    weight: 1,
    as: asBoss,
    objects: credentials,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/credential/{id}/revoke/",
    weight: 1,
    as: asBoss,
    objects: credentials,
    documents: nothing,
  },
];

const ofMail: readonly Target[] = [
  {
    method: "PATCH",
    path: "/notification-settings/",
    weight: 2,
    as: asBoss,
    documents: () => [
      patch("notification-settings", { topics: ["paid", "on_hold"], push_topics: ["paid"] }),
    ],
  },
  {
    method: "POST",
    path: "/push-subscription/",
    weight: 1,
    as: asBoss,
    documents: () => [
      patch("push-subscription", {
        endpoint: "https://push.example/1",
        p256dh:
          "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
        language: "de",
      }),
    ],
  },
  {
    method: "DELETE",
    path: "/push-subscription/{id}/",
    weight: 1,
    as: asBoss,
    objects: () => ["1", "2"],
    documents: nothing,
  },
  {
    method: "POST",
    path: "/invitation/",
    weight: 2,
    as: asBoss,
    documents: ({ people: { office } }) => [
      patch("invitation", {
        email: "cy@shop.example",
        name: "Cy",
        role: "read_only",
        all_wallets: false,
        wallet_grants: [{ wallet: office.wallets.ether, may_pay: false }],
      }),
    ],
    isOnce: true,
    isGuessed: true,
  },
  {
    method: "POST",
    path: "/invitation/{id}/resend/",
    weight: 1,
    isGuessed: true,
    as: asBoss,
    objects: ({ people }) => people.invitations.slice(0, 3),
    documents: nothing,
  },
  {
    method: "DELETE",
    path: "/invitation/{id}/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.invitations.slice(3),
    documents: nothing,
  },
  {
    method: "POST",
    path: "/protection-change/",
    weight: 3,
    as: asBoss,
    documents: () => [
      related({ kind: "limit", span: "day", amount: "5.25", note: "why" }),
      related({ kind: "payee_addition", address: payee, label: "Supplier", tag: null }),
      related({ kind: "limit_removal", span: "day" }),
    ],
    isOnce: true,
  },
  {
    method: "POST",
    path: "/protection-change/{id}/approve/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.changes.ofAnother.slice(0, 4),
    documents: nothing,
  },
  {
    method: "POST",
    path: "/protection-change/{id}/reject/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.changes.ofAnother.slice(4),
    documents: nothing,
  },
  {
    method: "POST",
    path: "/protection-change/{id}/withdraw/",
    weight: 1,
    as: asBoss,
    objects: ({ people }) => people.changes.own,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/email-verification/",
    weight: 1,
    isPublic: true,
    isOnce: true,
    documents: ({ people: { mailed } }) => [
      patch("email-verification", { token: mailed.verification }),
    ],
  },
  {
    method: "POST",
    path: "/invitation-offer/",
    weight: 1,
    isPublic: true,
    documents: ({ people: { mailed } }) => [
      patch("invitation-offer", { token: mailed.invitation }),
    ],
  },
  {
    method: "POST",
    path: "/invitation-acceptance/",
    weight: 1,
    isPublic: true,
    isOnce: true,
    documents: ({ people: { mailed } }) => [
      patch("invitation-acceptance", { token: mailed.invitation, login: "new-cy", password }),
    ],
  },
  {
    method: "POST",
    path: "/password-reset-completion/",
    weight: 1,
    isPublic: true,
    isOnce: true,
    documents: ({ people: { mailed } }) => [
      patch("password-reset-completion", { token: mailed.reset, password }),
    ],
  },
  {
    method: "POST",
    path: "/password-reset/",
    weight: 1,
    isPublic: true,
    isGuessed: true,
    documents: () => [patch("password-reset", { login: "nobody" })],
  },
];

const ofCaller: readonly Target[] = [
  {
    method: "PATCH",
    path: "/passkey/{id}/",
    weight: 2,
    as: ({ holder }) => holder.token,
    objects: ({ people }) => people.holder.passkeys,
    documents: () => [patch("passkey", { name: "Old phone" })],
  },
  {
    method: "POST",
    path: "/recovery-code/",
    weight: 1,
    as: ({ holder }) => holder.token,
    documents: nothing,
  },
  {
    method: "DELETE",
    path: "/passkey/{id}/",
    weight: 1,
    as: ({ holder }) => holder.token,
    objects: ({ people }) => people.holder.passkeys.slice(10),
    documents: nothing,
  },
  {
    method: "DELETE",
    path: "/totp/{id}/",
    weight: 1,
    as: ({ holder }) => holder.token,
    objects: ({ people }) => [people.holder.ids.totp],
    documents: nothing,
  },
  {
    method: "POST",
    path: "/totp/",
    weight: 1,
    as: ({ holder }) => holder.token,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/totp/{id}/confirm/",
    weight: 2,
    isGuessed: true,
    as: ({ enrolling }) => enrolling.token,
    objects: ({ people }) => [people.enrolling.ids.totp],
    documents: ({ people }) => [patch("totp", { code: people.enrolling.code() })],
  },
  {
    method: "POST",
    path: "/passkey/options/",
    weight: 1,
    as: ({ manager }) => manager.token,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/passkey/",
    weight: 4,
    isOnce: true,
    as: ({ registering }) => registering.token,
    documents: ({ people }) => people.registrations.map((proof) => patch("passkey", proof)),
  },
  {
    method: "POST",
    path: "/me/password/",
    weight: 1,
    as: ({ changing }) => changing.token,
    documents: () => [
      patch("me", { login: "jo@shop.example", password: "a longer horse battery" }),
    ],
  },
];

const ofSessions: readonly Target[] = [
  {
    method: "POST",
    path: "/session/",
    weight: 1,
    isPublic: true,
    isGuessed: true,
    documents: ({ people: { visitor } }) => [patch("session-token", { ...visitor.dashboard })],
  },
  {
    method: "POST",
    path: "/session/second-factor/",
    weight: 2,
    isPublic: true,
    isGuessed: true,
    isOnce: true,
    documents: ({ people }) => people.codeProofs.map((proof) => patch("session-token", proof)),
  },
  {
    method: "POST",
    path: "/session/passkey-options/",
    weight: 1,
    isPublic: true,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/session/passkey/",
    weight: 4,
    isPublic: true,
    isOnce: true,
    documents: ({ people }) => people.passkeyProofs.map((proof) => patch("session-token", proof)),
  },
  {
    method: "POST",
    path: "/session/confirm/",
    weight: 1,
    isGuessed: true,
    as: ({ confirming }) => confirming.token,
    documents: () => [patch("session-confirmation", { password })],
  },
  {
    method: "DELETE",
    path: "/session/{id}/",
    weight: 1,
    as: ({ ending }) => ending.token,
    objects: ({ people }) => people.ending.sessions,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/session/revoke-others/",
    weight: 1,
    as: ({ leaving }) => leaving,
    documents: nothing,
  },
  {
    method: "POST",
    path: "/session/logout/",
    weight: 1,
    isPublic: true,
    documents: nothing,
  },
];

export const peopleTargets: readonly Target[] = [
  ...[...ofAccount, ...ofTeam, ...ofMail, ...ofCaller],
  ...ofSessions,
];
