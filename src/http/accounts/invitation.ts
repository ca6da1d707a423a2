import { ownTarget } from "../../accounts/actor.ts";
import { acceptInvitation } from "../../accounts/invitations/accept-invitation.ts";
import { type Invitation, stateOfInvitation } from "../../accounts/invitations/invitation.ts";
import {
  inviteMember,
  listInvitations,
  resendInvitation,
  withdrawInvitation,
} from "../../accounts/invitations/invite-member.ts";
import { type InvitationOffer, readOffer } from "../../accounts/invitations/read-offer.ts";
import { memberNameMax } from "../../accounts/members/assert-member-change.ts";
import type { MailingContext } from "../../accounts/people/verify-email.ts";
import { roles } from "../../accounts/principal.ts";
import { readShop, type Shop } from "../../deposits/storefront/read-shop.ts";
import { decisionTopics } from "../../notifications/topic.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { emailAddressMax } from "../../platform/kernel/email-address.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import {
  defineResource,
  type FilterName,
  type ResourceOf,
} from "../../platform/resources/define-resource.ts";
import {
  boolean,
  described,
  nullable,
  oneOf,
  text,
  timestamp,
} from "../../platform/resources/json-schema.ts";
import { deleteRoute } from "../server/delete-route.ts";
import {
  actionRoute,
  createRoute,
  getRoute,
  listRoute,
  publicRoute,
  type Route,
} from "../server/route.ts";
import { requireSameOrigin } from "../server/same-origin.ts";
import { assertMayAdminister } from "./administration.ts";
import { clientInfo, sessionAnswer, sessionTokenResource } from "./session.ts";
import { readGrants, renderGrants, walletGrants } from "./wallet-grants.ts";

const roleChoices = roles.map((role) => ({ value: role, name: role.replaceAll("_", " ") }));

const states = [
  { value: "pending", name: "the link can be used" },
  { value: "accepted", name: "the person is a member" },
  { value: "expired", name: "the link has expired" },
] as const;

const invitationResource = defineResource({
  type: "invitation",
  description: "A person who was invited by email to become a member.",
  attributes: {
    email: text,
    name: text,
    role: oneOf(roleChoices),
    all_wallets: described(boolean, "True: the member will see all wallets."),
    wallet_grants: walletGrants,
    state: oneOf(states),
    created_at: timestamp,
    expired_at: described(timestamp, "Until when the newest link can be used."),
    accepted_at: nullable(timestamp),
    invited_by: described(text, "Id of the member who sent the newest link."),
    member_id: described(nullable(text), "Id of the member that the person became."),
  },
  filters: { state: { lookup: "exact", choices: states } },
  sortable: ["created_at", "name"],
  defaultSort: "-created_at",
});

const newInvitation = defineDocument({
  type: "invitation",
  fields: {
    email: { kind: "String", required: true, maxLength: emailAddressMax },
    name: { kind: "String", required: true, maxLength: memberNameMax },
    role: { kind: "Choice", choices: roleChoices, required: true },
    all_wallets: { kind: "Boolean", description: "Default: true unless wallets are granted." },
    wallet_grants: {
      kind: "Field",
      description: "List of {wallet, may_pay}. Without all_wallets, the member sees only these.",
    },
  },
});

const acceptanceResource = defineResource({
  type: "invitation-acceptance",
  description:
    "The acceptance of an invitation by the link that was sent, with the new member's session.",
  attributes: {
    login: described(text, "The new member's login for the dashboard."),
    ...sessionTokenResource.attributes,
  },
});

const offerResource = defineResource({
  type: "invitation-offer",
  description: "What an invitation offers, as the holder of its link sees it.",
  attributes: {
    state: oneOf([
      ...states,
      { value: "revoked", name: "the inviter can no longer give this access" },
    ]),
    account_name: text,
    shop_name: described(nullable(text), "Name on the store's payment pages."),
    shop_logo: described(nullable(text), "Path of the logo on the store's payment pages."),
    inviter: described(text, "Name of the member who sent the link and can send another one."),
    role: oneOf(roleChoices),
    email: described(text, "The invited address."),
    expired_at: described(timestamp, "Until when the link can be used."),
  },
});

const offerDocument = defineDocument({
  type: "invitation-offer",
  fields: { token: { kind: "String", required: true, maxLength: 64 } },
});

const acceptance = defineDocument({
  type: "invitation-acceptance",
  fields: {
    token: { kind: "String", required: true, maxLength: 64 },
    login: { kind: "String", maxLength: 128, description: "Default: the invited address." },
    password: { kind: "String", required: true, maxLength: 200 },
  },
});

const confirmed =
  "For people who are Owner or Admin and entered their password or second factor within the last five minutes.";

type Listed = { readonly invitation: Invitation; readonly now: Instant };

const invitationList: MemoryList<Listed, FilterName<typeof invitationResource>> = {
  id: ({ invitation }) => invitation.id,
  filters: { state: ({ invitation, now }, state) => stateOfInvitation(invitation, now) === state },
  sort: {
    created_at: ({ invitation }) => invitation.createdAt,
    name: ({ invitation }) => invitation.name,
  },
};

/** `/invitation/`: people who are invited by email, and the link with which they accept. */
export function invitationRoutes(context: MailingContext): readonly Route[] {
  const listed = (invitation: Invitation): Listed => ({ invitation, now: context.clock.now() });
  return [
    listRoute({
      path: "/invitation/",
      summary: "List invitations",
      description: "For Owner and Admin. Withdrawn invitations are not listed.",
      resource: invitationResource,
      list: async ({ principal }, query) => {
        const found = (await listInvitations(context, principal)).map(listed);
        return mapPage(listInMemory(found, invitationList, query), render);
      },
    }),
    getRoute({
      path: "/invitation/{id}/",
      summary: "Get an invitation",
      description: "For Owner and Admin.",
      resource: invitationResource,
      find: async ({ principal, id }) => {
        const all = await listInvitations(context, principal);
        const found = all.find((invitation) => invitation.id === id);
        return found === undefined ? null : render(listed(found));
      },
    }),
    createRoute({
      path: "/invitation/",
      summary: "Invite a member by email",
      description: `${confirmed} Sends a link that works once, for seven days. Members grant only rights that they have.`,
      resource: invitationResource,
      document: newInvitation,
      assertAllowed: assertMayAdminister,
      create: async ({ principal }, { email, name, role, all_wallets, wallet_grants }) => {
        const hasGrants = (wallet_grants ?? null) !== null;
        const isWide = all_wallets === true || (all_wallets == null && !hasGrants);
        const wallets = isWide ? "all" : readGrants(wallet_grants ?? null);
        return render(
          listed(await inviteMember(context, principal, { email, name, role, wallets })),
        );
      },
    }),
    actionRoute({
      path: "/invitation/{id}/resend/",
      summary: "Send an invitation again",
      description: `${confirmed} The new link replaces the earlier one.`,
      resource: invitationResource,
      assertAllowed: assertMayAdminister,
      act: async ({ principal, id }) => {
        const sent = await resendInvitation(context, principal, ownTarget(principal, id));
        return sent === null ? null : render(listed(sent));
      },
    }),
    deleteRoute({
      path: "/invitation/{id}/",
      summary: "Withdraw an invitation",
      description: `${confirmed} Its link stops working.`,
      resource: invitationResource,
      assertAllowed: assertMayAdminister,
      remove: ({ principal, id }) =>
        withdrawInvitation(context, principal, ownTarget(principal, id)),
    }),
    ...linkRoutes(context),
  ];
}

/** What the holder of a link may do: read the offer, and accept it. */
function linkRoutes(context: MailingContext): readonly Route[] {
  return [
    publicRoute({
      path: "/invitation-offer/",
      summary: "Read an invitation by its link",
      description:
        "With the token of the link that was sent, which stays usable. A used or expired link is recognized for a month.",
      throttle: "token",
      provesSecret: true,
      resource: offerResource,
      document: offerDocument,
      answer: async (_request, { token }) => {
        const { accountId, ...offer } = await readOffer(context, token);
        return { data: renderOffer(offer, await readShop(context.db, accountId)) };
      },
    }),
    publicRoute({
      path: "/invitation-acceptance/",
      summary: "Accept an invitation",
      description:
        "With the token of the link that was sent. Creates the member with the chosen password and signs them in: the response sets the same cookies as that of /session/.",
      throttle: "token",
      provesSecret: true,
      resource: acceptanceResource,
      document: acceptance,
      answer: async (request, input) => {
        requireSameOrigin(request, context.tokenSettings.issuer);
        const from = clientInfo(context, request);
        const { login, tokens } = await acceptInvitation(
          { ...context, decisionTopics },
          input,
          from,
        );
        const answer = sessionAnswer(context, tokens);
        const attributes = { login, ...answer.data.attributes };
        return { ...answer, data: { type: "invitation-acceptance", id: "1", attributes } };
      },
    }),
  ];
}

function renderOffer(
  { expiresAt, ...offer }: Omit<InvitationOffer, "accountId">,
  shop: Shop,
): ResourceOf<typeof offerResource> {
  const { account, ...rest } = offer;
  return {
    type: "invitation-offer",
    id: "1",
    attributes: {
      ...rest,
      account_name: account,
      shop_name: shop.name,
      shop_logo: shop.logo,
      expired_at: formatTimestamp(expiresAt),
    },
  };
}

function render({ invitation, now }: Listed): ResourceOf<typeof invitationResource> {
  const { id, wallets, ...rest } = invitation;
  return {
    type: "invitation",
    id,
    attributes: {
      email: rest.email,
      name: rest.name,
      role: rest.role,
      all_wallets: wallets === "all",
      wallet_grants: renderGrants(wallets),
      state: stateOfInvitation(invitation, now),
      created_at: formatTimestamp(rest.createdAt),
      expired_at: formatTimestamp(rest.expiresAt),
      accepted_at: formatTimestampOrNull(rest.acceptedAt),
      invited_by: rest.invitedByMemberId,
      member_id: rest.memberId,
    },
  };
}
