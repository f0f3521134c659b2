import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** Where the Python package finds the page; not in git, but in the wheel. */
const PAGE = '../src/hainan/server/web/page';

/** The server sends what is compressed here already. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        for (const path of readdirSync(PAGE, { recursive: true, encoding: 'utf8' })) {
          if (!/\.(js|css|html|svg|webmanifest)$/.test(path)) continue;
          const data = readFileSync(join(PAGE, path));
          writeFileSync(join(PAGE, `${path}.br`), brotliCompressSync(data));
          writeFileSync(join(PAGE, `${path}.gz`), gzipSync(data, { level: 9 }));
        }
      },
    },
  };
}

export default defineConfig({
  plugins: [
    svelte(),
    VitePWA({
      registerType: 'prompt',
      injectRegister: false,
      includeAssets: ['favicon.svg', 'icon-192.png'],
      manifest: {
        name: '海南麻将 · Hainan mahjong',
        short_name: '海南麻将',
        description: '海南麻将与临高麻将，和朋友在手机上同桌。 Hainan and Lingao mahjong with friends.',
        lang: 'zh-CN',
        display: 'standalone',
        orientation: 'any',
        start_url: '/',
        scope: '/',
        background_color: '#0f2f25',
        theme_color: '#0b231b',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      workbox: {
        globPatterns: ['**/*.{js,css,html,svg,png,woff2}'],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/api\//, /^\/(healthz|readyz|metrics)/],
        cleanupOutdatedCaches: true,
        // The rule book can be read without a network too.
        runtimeCaching: [
          {
            urlPattern: ({ url }) => /^\/api\/(book|rules)$/.test(url.pathname),
            handler: 'NetworkFirst',
            options: { cacheName: 'rule-book', networkTimeoutSeconds: 5 },
          },
        ],
      },
    }),
    compressed(),
  ],
  // The server's policy forbids data: addresses, and so nothing may be inlined as one.
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { include: ['src/**/*.test.ts', 'tools/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
