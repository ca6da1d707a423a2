-- How an account's payment pages look and what they tell the payer (src/deposits/storefront). Colors: `#rrggbb` of text and buttons on
-- the page's light and dark background; null: the built-in one.
alter table account
  add column logo_digest text,
  add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  add column accent_color_dark text check (accent_color_dark ~ '^#[0-9a-f]{6}$'),
  add column shows_order_reference boolean not null default true,
  add column shows_receipt boolean not null default true,
  add column receipt_note text,
  -- For deposits whose request sets no return link.
  add column default_redirect_url text,
  add column default_button_text text;

-- Pictures of stores, each under the SHA-256 of its bytes, so that browsers may keep them forever.
create table store_image (
  account_id bigint not null references account,
  digest text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  content bytea not null check (length(content) between 1 and 40000),
  created_at timestamptz not null,
  primary key (account_id, digest)
);

create index store_image_by_digest on store_image (digest);

-- What is paid for, in the store's words; shown to the payer.
alter table deposit add column description text;
