import { Group, Stack, Text } from "@mantine/core";
import type { Role } from "../../api/me.ts";
import { roleMeanings, roleName } from "../../components/role-names.ts";
import { TimeText } from "../../components/time-text.tsx";
import { rich } from "../../language/rich.tsx";
import { t } from "../../language/t.ts";
import "./invitation-offer.css";

/** What the link of an invitation shows. */
export type Offer = {
  readonly state: "pending" | "accepted" | "expired" | "revoked";
  readonly account_name: string;
  readonly shop_name: string | null;
  readonly shop_logo: string | null;
  readonly inviter: string;
  readonly role: Role;
  readonly email: string;
  readonly expired_at: string;
};

/** The shop, who invites, and the role with what it permits. */
export function InvitationOffer({ offer }: { readonly offer: Offer }) {
  const { inviter, role, expired_at: expiredAt } = offer;
  return (
    <Stack gap="xs">
      <ShopHead offer={offer} />
      <Text>
        {rich("{inviter} invited you to join {shop}.", {
          inviter: <strong>{inviter}</strong>,
          shop: <strong>{shopOf(offer)}</strong>,
        })}
      </Text>
      <Text>{rich("Your role: {role}", { role: <strong>{roleName(role)}</strong> })}</Text>
      <Text size="sm" c="dimmed">
        {roleMeanings[role]}
      </Text>
      <Text size="sm" c="dimmed">
        {rich("Expires {time}", { time: <TimeText value={expiredAt} /> })}
      </Text>
    </Stack>
  );
}

/** Name and logo of the shop as its customers know it. */
export function ShopHead({ offer }: { readonly offer: Offer }) {
  return (
    <Group gap="sm" wrap="nowrap">
      {offer.shop_logo === null ? null : (
        <img className="shop-logo" src={offer.shop_logo} alt={t("Logo")} />
      )}
      <Text fw={700} size="lg">
        {shopOf(offer)}
      </Text>
    </Group>
  );
}

/** The shop's name, or that of its account. */
export function shopOf({ shop_name: name, account_name: account }: Offer): string {
  return name ?? account;
}
