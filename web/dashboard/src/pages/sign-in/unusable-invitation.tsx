import { Text } from "@mantine/core";
import { ButtonLink } from "../../components/button-link.tsx";
import { t } from "../../language/t.ts";
import { type Offer, ShopHead, shopOf } from "./invitation-offer.tsx";

/** Why a link can no longer be used, and who can send a new one. */
export function UnusableInvitation({ offer }: { readonly offer: Offer }) {
  const { state, inviter } = offer;
  return (
    <>
      <ShopHead offer={offer} />
      {state === "accepted" ? (
        <>
          <Text role="status">
            {t(
              "This invitation has already been used. If you accepted it, sign in with the login and password that you chose. If not, tell {inviter}.",
              { inviter },
            )}
          </Text>
          <ButtonLink to="/login">{t("Sign in")}</ButtonLink>
        </>
      ) : (
        <Text role="status">
          {state === "expired"
            ? t("This invitation has expired. {inviter} can send you a new one.", { inviter })
            : t(
                "{inviter} can no longer grant this access. Ask an Owner or Admin of {shop} for a new invitation.",
                { inviter, shop: shopOf(offer) },
              )}
        </Text>
      )}
    </>
  );
}
