export const ui = {
  zh: {
    'ui.close': '关闭',
    'ui.back': '返回',
    'ui.cancel': '取消',
    'ui.copied': '已复制',
    'ui.clause': '看条文 {clause}',
  },
  en: {
    'ui.close': 'Close',
    'ui.back': 'Back',
    'ui.cancel': 'Cancel',
    'ui.copied': 'Copied',
    'ui.clause': 'Read clause {clause}',
  },
};
