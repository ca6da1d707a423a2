import type { ColorScheme } from "../../../../../src/deposits/storefront/accent-color.ts";
import { t } from "../../language/t.ts";
import { previewColors } from "./preview-colors.ts";
import type { StoreValues } from "./store-values.ts";
import "./page-preview.css";

const sample = { amount: "100.00", code: "USD" };

/** The head of the payment page with what the form holds now, in light and in dark mode. */
export function PagePreview({ values }: { readonly values: StoreValues }) {
  return (
    <section className="page-previews" aria-label={t("Preview of the payment page")}>
      <Head scheme="light" title={t("In light mode")} values={values} />
      <Head scheme="dark" title={t("In dark mode")} values={values} />
    </section>
  );
}

function Head({
  scheme,
  title,
  values,
}: {
  readonly scheme: ColorScheme;
  readonly title: string;
  readonly values: StoreValues;
}) {
  const name = values.shop_name.trim();
  const help = values.help_email.trim();
  const link = values.payment_page_button_text.trim();
  return (
    <figure className="page-preview">
      <figcaption>{title}</figcaption>
      <div className="page-preview-page" style={previewColors(scheme, values)}>
        <div className="page-preview-card">
          <div className="page-preview-head">
            <span className="page-preview-shop">
              {values.logo === "" ? null : <img src={values.logo} alt="" />}
              {name === "" ? t("Payment") : name}
            </span>
            <span>
              {sample.amount} {sample.code}
            </span>
          </div>
          <span className="page-preview-button">{t("Open in wallet app")}</span>
          <div className="page-preview-row">
            <span className="page-preview-link">{link === "" ? t("Return to store") : link}</span>
            <span className="page-preview-quiet">{t("Copy")}</span>
          </div>
        </div>
        {help === "" ? null : <span className="page-preview-link">{help}</span>}
      </div>
    </figure>
  );
}
