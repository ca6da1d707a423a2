import { Alert, Card, Skeleton } from "@mantine/core";
import { IconWallet } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Deposit } from "../../../../../client/src/api-types.gen.ts";
import { walletsQuery } from "../../api/lookups.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { AmountPad } from "./amount-pad.tsx";
import "./point-of-sale.css";
import { Sale } from "./sale.tsx";

/** Takes payments in a shop: the cashier types an amount, and the customer scans the code of its payment page. */
export function PointOfSalePage() {
  const { role, mayCreate } = useRole();
  const known = useQuery(walletsQuery);
  const [sale, setSale] = useState<Deposit | null>(null);
  const merchants = (known.data ?? []).filter(
    ({ attributes }) => attributes.type === 1 && attributes.status === 3,
  );
  return (
    <>
      <PageHeader
        title={t("Point of sale")}
        description={t("Enter an amount and let the customer scan the code.")}
      />
      {role !== null && !mayCreate ? (
        <Alert color="amber" title={t("Your role can't create deposits.")} />
      ) : known.data === undefined ? (
        <Skeleton height={320} maw={400} aria-busy="true" />
      ) : merchants.length === 0 ? (
        <Card>
          <EmptyList
            icon={IconWallet}
            title={t("Create a Merchant wallet first")}
            action={<ButtonLink to="/wallets">{t("Go to wallets")}</ButtonLink>}
          >
            {t("Its currency is the one in which you enter amounts.")}
          </EmptyList>
        </Card>
      ) : sale === null ? (
        <AmountPad wallets={merchants} onSale={setSale} />
      ) : (
        <Sale
          deposit={sale}
          onNext={() => {
            setSale(null);
          }}
        />
      )}
    </>
  );
}
